#include <tasuki/detail/containers/agreed_layout.hpp>

#include <algorithm>
#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/detail/containers/array_shape.hpp>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/error.hpp>

namespace tasuki::containers {
namespace {

constexpr const char* operation = "making an Array";

bool is_same_on_all(const std::string& text, const Team& team) {
  const std::uint64_t hash = base::fnv_hash(text);
  std::vector<std::uint64_t> extremes{hash, ~hash};
  allreduce<std::uint64_t>(extremes, extremes, Max{}, team);
  return extremes[0] == ~extremes[1];
}

/// Names the first rank whose layout is not that of rank 0. Collective.
[[noreturn]] void throw_difference(const std::string& text, const Team& team) {
  const std::vector<std::string> all = allgather_values(std::vector{text}, team);
  const auto other =
      std::ranges::find_if(all, [&](const std::string& theirs) { return theirs != all[0]; });
  throw error(
      operation,
      "it has " + all[0] + " on rank 0 of the team, but " + *other + " on rank " +
          std::to_string(other - all.begin()),
      "call it with the same extents, distributions, grid and order on all ranks of the team");
}

}  // namespace

layout::ArrayLayout agreed_layout(const std::function<layout::ArrayLayout()>& make,
                                  std::size_t element_bytes, const Team& team) {
  layout::ArrayLayout mine = do_on_all(operation, team, [&] {
    layout::ArrayLayout made = make();
    check_layout(made, element_bytes, team.size());
    return made;
  });
  const std::string text = text_of(mine);
  if (!is_same_on_all(text, team)) throw_difference(text, team);
  return mine;
}

}  // namespace tasuki::containers
