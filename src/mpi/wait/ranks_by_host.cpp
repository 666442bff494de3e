#include "mpi/wait/ranks_by_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tasuki::mpi::wait {
namespace {

constexpr std::size_t shown_most = 8;  // Of the ranks of a host, and of the hosts.

struct HostRanks {
  std::string host;
  std::vector<int> ranks;
};

/// In the order of their first ranks.
std::vector<HostRanks> group(const std::vector<int>& ranks,
                             const std::function<std::string(int)>& host_of) {
  std::vector<HostRanks> groups;
  for (const int rank : ranks) {
    std::string host = host_of(rank);
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const HostRanks& one) { return one.host == host; });
    if (found != groups.end()) {
      found->ranks.push_back(rank);
    } else {
      groups.push_back({std::move(host), {rank}});
    }
  }
  return groups;
}

std::string describe(const HostRanks& one) {
  std::string numbers;
  for (std::size_t i = 0; i < std::min(one.ranks.size(), shown_most); ++i) {
    numbers += fmt::format("{}{}", i == 0 ? "" : ", ", one.ranks[i]);
  }
  if (one.ranks.size() > shown_most) numbers += ", ...";
  return fmt::format("rank{} {}{}", one.ranks.size() > 1 ? "s" : "", numbers,
                     one.host.empty() ? "" : fmt::format(" (host {})", one.host));
}

}  // namespace

std::string describe_by_host(const std::vector<int>& ranks,
                             const std::function<std::string(int)>& host_of) {
  const std::vector<HostRanks> groups = group(ranks, host_of);
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), shown_most); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", describe(groups[i]));
  }
  const std::size_t left = groups.size() - std::min(groups.size(), shown_most);
  if (left == 0) return text;
  return text + fmt::format(" and those of {} more host{}", left, left > 1 ? "s" : "");
}

}  // namespace tasuki::mpi::wait
