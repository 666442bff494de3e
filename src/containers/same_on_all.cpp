#include "containers/same_on_all.hpp"

#include <algorithm>
#include <cstdint>
#include <tasuki/collectives.hpp>
#include <tasuki/collectives_of_values.hpp>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::containers {
namespace {

bool is_same_on_all(const std::string& text, const Team& team) {
  const std::uint64_t hash = base::fnv_hash(text);
  std::vector<std::uint64_t> extremes{hash, ~hash};
  allreduce<std::uint64_t>(extremes, extremes, Max{}, team);
  return extremes[0] == ~extremes[1];
}

}  // namespace

void require_same_on_all(const std::string& text, const char* operation, const char* remedy,
                         const Team& team) {
  if (is_same_on_all(text, team)) return;
  const std::vector<std::string> all = allgather(text, team);
  const auto other =
      std::ranges::find_if(all, [&](const auto& theirs) { return theirs != all[0]; });
  throw error(operation,
              "it has " + all[0] + " on rank 0 of the team, but " + *other + " on rank " +
                  std::to_string(other - all.begin()),
              remedy);
}

}  // namespace tasuki::containers
