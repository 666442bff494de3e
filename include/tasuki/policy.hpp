// The policy of the job: which algorithm each collective uses.
//
// At start rank 0 reads it from where TASUKI_POLICY says, and all ranks have the same; programs
// that know better set another. Thread-safety: from the rank's own thread only.
#pragma once

#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/policy.hpp>

namespace tasuki {

/// The policy in force.
///     std::printf("%zu rows\n", tasuki::policy().rows().size());
coll::Policy policy();

/// Collective, without communication: all ranks set the same policy, at the same place among their
/// collectives. Requires: no collective is under way.
/// Example: examples/policy.cpp
void set_policy(coll::Policy policy);

/// Do the bits of reductions follow from the inputs, the count and the number of ranks alone? At
/// start what TASUKI_REPRODUCIBLE says on rank 0.
///     std::puts(tasuki::is_reproducible() ? "the order of the ranks" : "any order");
bool is_reproducible();

/// Collective, without communication, like set_policy. From then on each element of the result of
/// reduce, allreduce, reduce_scatter, scan and exscan is ((x0 OP x1) OP x2) ..., as a loop over the
/// ranks of the team would compute it, whatever carries the messages and whatever the policy says:
/// what combines in another order is passed over. Requires: no collective is under way.
///     tasuki::set_reproducible(true);
void set_reproducible(bool wanted);

/// What blocking collectives on the team of all ranks can use beside messages. Collective.
///     if (tasuki::media().shared_memory) std::puts("all ranks are on one node");
coll::Media media();

/// Where the ranks of the team of all ranks are, for coll::Shape; nullptr: all are on one node. It
/// stays until the rank ends.
///     if (tasuki::placement() != nullptr) std::puts("the job has several nodes");
const coll::Placement* placement();

}  // namespace tasuki
