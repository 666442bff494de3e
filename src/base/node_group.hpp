// The group of nodes that this host is in, as TASUKI_NODE_GROUPS says: those at one switch, say.
//
// Each rank asks when its job begins. Thread-safety: safe.
#pragma once

#include <string_view>

namespace tasuki::base {

/// Which of `groups` the host is in, counted from 0; -1: `groups` is empty. Groups are separated by
/// semicolons, the patterns of a group's hosts (as in file names) by commas:
/// "rack1-*;rack2-*,login". Throws tasuki::error if it is in none.
int node_group_of(std::string_view host, std::string_view groups);

/// Of this host, by TASUKI_NODE_GROUPS; its name is TASUKI_NODE_NAME where that is set.
int own_node_group();

}  // namespace tasuki::base
