// The rows that tables of higher layers bring for the built-in policy.
//
// Thread-safety: none; called once, when the built-in policy is made.
#pragma once

#include <vector>

#include <tasuki/detail/coll/policy.hpp>

namespace tasuki::coll {

/// Those of all tables. No table may be added afterwards.
std::vector<PolicyRow> take_added_rows();

}  // namespace tasuki::coll
