// The policy of the job: which algorithm each collective uses.
//
// At start rank 0 reads it from where TASUKI_POLICY says, and all ranks have the same; programs
// that know better set another. Thread-safety: from the rank's own thread only.
#pragma once

#include <tasuki/coll/policy.hpp>

namespace tasuki {

coll::Policy policy();

/// Collective, without communication: all ranks set the same policy, at the same place among their
/// collectives. Requires: no collective is under way.
void set_policy(coll::Policy policy);

/// What blocking collectives on the team of all ranks can use beside messages. Collective.
coll::Media media();

}  // namespace tasuki
