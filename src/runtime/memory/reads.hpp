// Reads of other ranks' memory by messages: asks the memory's rank, and puts the answer in place.
//
// Reads of one length travel many to a record while it has not left, and have one future: a read of
// a word is two words there, and two back. Long answers travel as bulk data. Used by get_async
// where this process cannot address the memory, nor the kernel copy it.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/memory/rma.hpp>
#include <tasuki/future.hpp>

#include "base/peer_table.hpp"
namespace tasuki::runtime {

class Reads {
 public:
  explicit Reads(Rank& self);

  /// Asks for as many bytes as `into` has room for, which are there when the future is ready.
  /// Waits as a fiber for room. Requires: `into` is not empty.
  Future<void> ask(RemoteAddress from, std::span<std::byte> into);

  static constexpr base::MemoryAccount account() noexcept {
    return base::PeerTable<Open>::account("open reads");
  }
  base::MemoryUse memory_use() const noexcept { return open_.use(account()); }

 private:
  /// The record that reads are added to.
  struct Open {
    GrowingRecord record;
    FutureCore* state = nullptr;  ///< The record holds it, as long as that can grow.
    std::size_t bytes = 0;        ///< Of each read.
    std::size_t left_count = 0;   ///< So many more may join.
  };

  std::size_t further_count(std::size_t bytes) const noexcept;

  Rank& self_;
  base::PeerTable<Open> open_;
};

}  // namespace tasuki::runtime
