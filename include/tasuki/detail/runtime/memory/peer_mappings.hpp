// Which memory of other ranks this process is known to address, and where.
//
// Asked before each remote read and write; `known` is a handful of instructions, `find` asks the
// transport and remembers. One object per rank. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

namespace tasuki::runtime {

/// What a rank is about to do with another's memory.
enum class Access : std::uint8_t { reading, writing };

class PeerMappings {
 public:
  explicit PeerMappings(Rank& self);
  PeerMappings(const PeerMappings&) = delete;
  PeerMappings& operator=(const PeerMappings&) = delete;

  /// Those that `known` asks on the calling thread; nullptr: none.
  static void set_current(const PeerMappings* mappings) noexcept;

  /// Does the current rank know, without asking the transport, how to address
  /// `[address, address + bytes)` of `rank`? If so, `here` is where. Any arguments are allowed.
  template <Access access>
  static bool known(int rank, std::uintptr_t address, std::size_t bytes,
                    std::byte*& here) noexcept {
    if (static_cast<unsigned>(rank) >= known_.ranks_count) return false;
    const Range& range = known_.ranges[static_cast<unsigned>(rank)];
    const std::uintptr_t place = address - range.first;
    // One branch for both conditions: this stands before remote writes of a few nanoseconds.
    const bool outside = (place > range.bytes) | (bytes > range.bytes - place);
    if (outside) return false;
    if constexpr (access == Access::reading) {
      here = reinterpret_cast<std::byte*>(address + range.offset);
      return true;
    }
    here = reinterpret_cast<std::byte*>(address);
    // A branch, not a sum: the write does not wait until the offset has been loaded. Reads overlap
    // with each other anyway, and small ones lose by it (`tasuki bench micro --only bulk_get_4B`).
    if (range.offset != 0) [[unlikely]] {
      std::uintptr_t offset = range.offset;
      asm volatile("" : "+r"(offset));  // compilers would add 0 without a branch
      here += offset;
    }
    return true;
  }
  /// Is the rank on another node, so that none of its memory can be addressed?
  static bool is_elsewhere(int rank) noexcept {
    return static_cast<unsigned>(rank) < known_.ranks_count &&
           known_.ranges[static_cast<unsigned>(rank)].is_elsewhere;
  }
  /// Returns: where this process addresses the memory, or nullptr. Requires: the rank exists.
  std::byte* find(int rank, std::uintptr_t address, std::size_t bytes);

 private:
  /// The part of a rank's heap that this process is known to address; of the own rank, all memory.
  /// A heap's memory is contiguous, so whatever lies between two addressable places is addressable
  /// too.
  struct Range {
    std::uintptr_t first = 0;
    std::uintptr_t bytes = 0;
    std::uintptr_t offset = 0;  ///< From that rank's addresses to this process's (modulo 2^64).
    bool is_elsewhere = false;
  };
  /// The current rank's, without the way through the rank: each load on the way to the address of a
  /// remote write delays the write (`tasuki bench micro --only bulk_put_16B`).
  struct Known {
    const Range* ranges = nullptr;
    unsigned ranks_count = 0;
  };
  static constinit thread_local Known known_ __attribute__((tls_model("initial-exec")));

  transport::Memory& memory_;
  std::vector<Range> ranges_;  ///< By rank.
};

}  // namespace tasuki::runtime
