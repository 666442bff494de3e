// What the MPI library still has to do for a rank, as far as it can take long: the
// hang report asks all ranks, because a rank that waits for the library is idle, however busy the
// network is.
//
// Filled from MpiRequests; judged by rank 0. Thread-safety: values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tasuki/detail/transport/mpi_operations.hpp>
#include <vector>

#include "runtime/collectives/collective_failure.hpp"

namespace tasuki::runtime {

/// A request that is not complete.
struct UnfinishedRequest {
  enum class Kind : std::uint8_t {
    send,                ///< To `peer`.
    receive,             ///< From `peer`.
    collective,          ///< It ends on no rank before all have begun it.
    partial_collective,  ///< It may: one with a root, say.
  };
  Kind kind = Kind::collective;
  std::int32_t peer = -1;
  std::uint32_t number = 0;  ///< A send meets the receive of its number; collectives are counted.
  std::uint64_t bytes = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(kind, peer, number, bytes);
  }
};

/// Those of one rank.
struct UnfinishedRequests {
  /// Messages below are not listed: a network that takes a second for one of them is broken.
  static constexpr std::uint64_t listed_least_bytes =
      transport::MpiOperations::tagged_length_least_bytes;
  /// Of the oldest so many are listed.
  static constexpr std::size_t listed_most = 1000;

  std::int32_t rank = -1;
  std::uint32_t collectives_begun_count = 0;
  std::vector<UnfinishedRequest> listed;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(rank, collectives_begun_count, listed);
  }
};

/// How long nothing may be seen to happen before the ranks, all of them idle, are stuck.
/// Returns: for ever if some request can end by itself, because its other ends are there; as long
/// as a slow network takes for the bytes if that is not known; else 0.
std::int64_t patience_ns(const std::vector<UnfinishedRequests>& by_rank);

/// Returns: a message whose receive has another length, so that the two never meet; none if there
/// is none. Requires: nothing has happened for `patience_ns`.
std::optional<LengthMismatch> length_mismatch_of(const std::vector<UnfinishedRequests>& by_rank);

}  // namespace tasuki::runtime
