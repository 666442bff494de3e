// Finding the ranks of the own node, and the memory file they share, by what a network lets all
// ranks tell each other.
//
// Used at start by the transports that reach other nodes. Collective over the job.
// Thread-safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tasuki/detail/base/job_programs.hpp>

#include "base/node_group.hpp"
#include "transport/shm/shm_node.hpp"

namespace tasuki::transport {

/// A rank's place in its job, and what joins it with the others at start.
struct JobExchange {
  int rank = 0;
  int size = 0;
  std::string operation;      ///< Of errors, as in "starting the mpi transport".
  std::string network;        ///< What carries messages where there is no memory of the node.
  base::Allgather allgather;  ///< Collective.
};

/// What each rank tells all others when the job starts.
struct Introduction {
  std::uint64_t node = 0;  ///< The same for ranks that may share memory.
  base::ProgramIdentity program;
  base::NodeGroup node_group;
};

/// Collective. Returns: the introductions of all ranks. Throws tasuki::error: the network's; on all
/// ranks if they are of different builds or do not agree on the groups of nodes.
std::vector<Introduction> introduce(const JobExchange& job);

/// What Transport::nodes() is to say.
std::vector<int> node_numbers_of(const std::vector<Introduction>& all);
/// What Transport::node_groups() is to say.
std::vector<int> node_groups_of(const std::vector<Introduction>& all);

/// Collective. Shares one memory file among the ranks of each node that has more than one. Returns:
/// nothing where that is not possible (then all ranks of the node get nothing, and the
/// first says why). Throws tasuki::error (the network's).
std::optional<shm::ShmNode::Place> share_node_memory(const JobExchange& job,
                                                     const std::vector<Introduction>& all);

}  // namespace tasuki::transport
