#include "base/node_group.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cctype>
#include <ranges>
#include <string>

#include "base/host_name.hpp"

namespace tasuki::base {
namespace {

std::string trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// Without what people add to be read: blanks beside separators and at the ends.
std::string without_blanks(std::string_view groups) {
  std::string all;
  for (const auto group : std::views::split(groups, ';')) {
    std::string patterns;
    for (const auto pattern :
         std::views::split(std::string_view(group.begin(), group.end()), ',')) {
      if (pattern.begin() != group.begin()) patterns += ',';
      patterns += trimmed(std::string_view(pattern.begin(), pattern.end()));
    }
    if (group.begin() != groups.begin()) all += ';';
    all += patterns;
  }
  return all;
}

/// With its domain or without.
bool matches(const std::string& pattern, const std::string& host) {
  const std::string short_name = host.substr(0, host.find('.'));
  return ::fnmatch(pattern.c_str(), host.c_str(), 0) == 0 ||
         ::fnmatch(pattern.c_str(), short_name.c_str(), 0) == 0;
}

std::string own_name() {
  std::string given = setting::node_name.text();
  return given.empty() ? host_name() : given;
}

/// Of `groups` without blanks.
std::int32_t number_of(const std::string& host, std::string_view groups) {
  if (groups.empty()) return NodeGroup::unknown;
  std::int32_t number = 0;
  for (const auto group : std::views::split(groups, ';')) {
    for (const auto pattern :
         std::views::split(std::string_view(group.begin(), group.end()), ',')) {
      if (matches(std::string(pattern.begin(), pattern.end()), host)) return number;
    }
    ++number;
  }
  return NodeGroup::in_none;
}

/// As much of the text as there is room for, but for the last 0.
template <std::size_t size>
void copy_text(std::array<char, size>& room, const std::string& text) {
  constexpr std::string_view cut_off = "...";
  text.copy(room.data(), size - 1);
  if (text.size() >= size) cut_off.copy(room.data() + size - 1 - cut_off.size(), cut_off.size());
}

HostAndGroups own_host_and_groups() {
  HostAndGroups own;
  copy_text(own.host, own_name());
  copy_text(own.groups, trimmed(setting::node_groups.text()));
  return own;
}

std::string quoted(const HostAndGroups& one) {
  const std::string_view groups = one.groups.data();
  return groups.empty() ? "not set" : fmt::format("'{}'", groups);
}

}  // namespace

NodeGroup node_group_of(std::string_view host, std::string_view groups) {
  const std::string bare = without_blanks(groups);
  const std::uint64_t hash = fnv_hash(bare);
  return {number_of(std::string(host), bare), static_cast<std::uint32_t>(hash ^ (hash >> 32U))};
}

NodeGroup own_node_group() { return node_group_of(own_name(), setting::node_groups.text()); }

void check_node_groups(std::span<const NodeGroup> of_ranks, const Allgather& allgather) {
  const auto differs = [&](const NodeGroup& one) {
    return one.groups_hash != of_ranks.front().groups_hash;
  };
  const auto is_outside = [](const NodeGroup& one) { return one.number == NodeGroup::in_none; };
  const auto differing_count = std::ranges::count_if(of_ranks, differs);
  if (differing_count == 0 && std::ranges::none_of(of_ranks, is_outside)) return;
  std::vector<HostAndGroups> all(of_ranks.size());
  const HostAndGroups own = own_host_and_groups();
  allgather(&own, sizeof own, all.data());
  const auto first_rank = [&](const auto& wanted) {
    return static_cast<std::size_t>(std::ranges::find_if(of_ranks, wanted) - of_ranks.begin());
  };
  constexpr const char* operation = "finding the groups of hosts";
  constexpr const char* name = setting::node_groups.name;
  if (differing_count != 0) {
    const std::size_t rank = first_rank(differs);
    throw error(
        operation,
        fmt::format("{} is {} on rank 0 (host {}) but {} on rank {} (host {}); it differs from "
                    "rank 0's on {} of {} ranks",
                    name, quoted(all[0]), all[0].host.data(), quoted(all[rank]), rank,
                    all[rank].host.data(), differing_count, all.size()),
        fmt::format("give all ranks the same, as tasuki run does on all hosts and Open "
                    "MPI's mpirun with -x {}; or unset it on all",
                    name));
  }
  const std::size_t rank = first_rank(is_outside);
  throw error(operation,
              fmt::format("host {} (rank {}) is in none of the groups {}", all[rank].host.data(),
                          rank, quoted(all[rank])),
              fmt::format("add it to one of them in {}, or unset that", name));
}

std::vector<int> node_group_numbers(std::span<const NodeGroup> of_ranks) {
  std::vector<int> numbers;
  if (of_ranks.front().number == NodeGroup::unknown) return numbers;
  numbers.reserve(of_ranks.size());
  for (const NodeGroup& one : of_ranks) numbers.push_back(one.number);
  return numbers;
}

}  // namespace tasuki::base
