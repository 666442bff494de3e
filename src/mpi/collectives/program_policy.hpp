// The policy by which the collectives of a program are carried out, the same on all ranks.
//
// Tuning reads it once; a communicator that is tuned asks it for each collective and size. What
// was measured decides; where nothing was, the built-in rows for node memory, and else the MPI
// library: Tasuki's messages are not faster than its own unless somebody has seen it.
//
// Thread-safety: a value.
#pragma once

#include <tasuki/detail/coll/policy.hpp>

#include <optional>
#include <vector>

namespace tasuki::mpi::collectives {

class ProgramPolicy {
 public:
  /// `measured` are the rows of a policy file. Throws tasuki::error as coll::Policy.
  explicit ProgramPolicy(std::vector<coll::PolicyRow> measured);

  /// As coll::Policy::select; nothing where the MPI library is to do what no row of the policy
  /// speaks of.
  std::optional<coll::Choice> choose(coll::Collective collective, const coll::Shape& shape,
                                     coll::Media media) const;

 private:
  coll::Policy on_node_;
  coll::Policy across_nodes_;
};

}  // namespace tasuki::mpi::collectives
