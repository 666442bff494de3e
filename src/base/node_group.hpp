// The group of nodes that this host is in, as TASUKI_NODE_GROUPS says: those at one switch, say.
//
// When a job begins, each rank tells the others its group, and all check what they have been told.
// Thread-safety: safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace tasuki::base {

/// What a rank tells the others of its host. Constant bytes.
struct NodeGroup {
  static constexpr std::int32_t unknown = -1;  ///< There are no groups.
  static constexpr std::int32_t in_none = -2;  ///< There are groups, but not for this host.

  std::int32_t number = unknown;  ///< Counted from 0.
  std::uint32_t groups_hash = 0;  ///< The same where the groups are the same.
};

/// Groups are separated by semicolons, the patterns of a group's hosts (as in file names) by
/// commas: "rack1-*;rack2-*,login". Blanks beside these mean nothing. A host is in the first group
/// that has a pattern for it.
NodeGroup node_group_of(std::string_view host, std::string_view groups);

/// Of this host, by TASUKI_NODE_GROUPS; its name is TASUKI_NODE_NAME where that is set.
NodeGroup own_node_group();

/// What errors say of a rank; cut off where it is longer. Constant bytes, which end with 0.
struct HostAndGroups {
  std::array<char, 64> host = {};
  std::array<char, 192> groups = {};
};

/// Gives the `bytes` at `own` to all ranks; `all` gets those of each, by rank.
using Allgather = std::function<void(const void* own, std::size_t bytes, void* all)>;

/// Throws tasuki::error, on all ranks alike, if ranks have different groups or the host of one is
/// in none of them. It is collective then: each rank calls `allgather` once, for a HostAndGroups.
void check_node_groups(std::span<const NodeGroup> of_ranks, const Allgather& allgather);

/// By rank; nothing if there are no groups. Requires: check_node_groups has not thrown.
std::vector<int> node_group_numbers(std::span<const NodeGroup> of_ranks);

}  // namespace tasuki::base
