// How the transfers of collectives travel: straight into their place by the MPI library, else as
// records and bulk data.
//
// Messages are named by team, number of the collective on that team, peer and sequence; what
// arrives before its receive is posted is kept. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tasuki/detail/coll/executor.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>

#include "runtime/collectives/mpi_messages.hpp"
#include "runtime/waiting/key_table.hpp"

namespace tasuki::runtime {

class MessageChannel final : public coll::Channel {
 public:
  MessageChannel(Rank& self, MpiRequests& requests);

  /// Goes on with an operation as far as it can, and tells whom it concerns if that is to its end.
  /// Ends the job if an operator throws.
  void advance(MessageOperation& operation);
  /// The same from the poller, which may wait.
  void advance_later(MessageOperation& operation);

  bool send(coll::Execution& execution, int peer, std::uint32_t sequence,
            std::span<const std::byte> bytes) override;
  bool receive(coll::Execution& execution, int peer, std::uint32_t sequence,
               std::span<std::byte> into) override;

 private:
  struct Key {
    std::uint64_t team = 0;
    std::uint32_t operation = 0;
    std::uint32_t sequence = 0;
    int source = -1;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Posted {
    Key key;
    std::span<std::byte> into;
    MessageOperation* operation = nullptr;
  };
  struct Unexpected {
    Key key;
    std::unique_ptr<std::byte[]> data;
    std::size_t bytes = 0;
    bool is_bulk = false;
    std::uint64_t bulk_token = 0;
  };

  static void handle_message(Rank& self, int source, Reader& reader);
  static void handle_bulk(Rank& self, int source, Reader& reader);
  static void handle_advance(Rank& self, int source, Reader& reader);
  void keep_early(const Key& key, Reader& reader, std::size_t bytes);
  /// As `receive`, of what arrived before.
  bool take_early(MessageOperation& operation, Unexpected* found, std::span<std::byte> into);
  static void check_length(const MessageOperation& operation, int source, std::size_t arrived_bytes,
                           std::size_t wanted_bytes) {
    if (arrived_bytes != wanted_bytes) {
      refuse_length(operation, source, arrived_bytes, wanted_bytes);
    }
  }
  [[noreturn]] static void refuse_length(const MessageOperation& operation, int source,
                                         std::size_t arrived_bytes, std::size_t wanted_bytes);

  Rank& self_;
  MpiMessages mpi_;
  KeyTable<Posted, KeyHash> posted_;
  KeyTable<Unexpected, KeyHash> unexpected_;
};

}  // namespace tasuki::runtime
