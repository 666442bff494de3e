// The transfers of collectives that the MPI library takes straight into their place.
//
// Part of the message channel. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <span>
#include <tasuki/detail/transport/transport.hpp>
#include <vector>

#include "runtime/collectives/mpi_requests.hpp"
#include "runtime/collectives/team_state.hpp"

namespace tasuki::runtime {

class MessageOperation;

class MpiMessages {
 public:
  MpiMessages(transport::Transport& transport, MpiRequests& requests);

  /// Does a message of so many bytes to or from `rank` go this way? Both ends come to the same
  /// answer. Only for the team of all, since the numbers of its collectives are all that names
  /// messages there.
  bool carries(const TeamState& team, int rank, std::size_t bytes) const {
    return library_ != nullptr && team.is_world && bytes <= most_bytes_ &&
           reached_[static_cast<std::size_t>(rank)];
  }
  /// These two are as in coll::Channel. Require: it carries them.
  bool send(MessageOperation& operation, int rank, std::span<const std::byte> bytes);
  bool receive(MessageOperation& operation, int rank, std::span<std::byte> into);

 private:
  transport::MpiOperations* library_;  ///< nullptr: there is none.
  std::size_t most_bytes_ = 0;
  std::vector<bool> reached_;
  MpiRequests& requests_;
};

}  // namespace tasuki::runtime
