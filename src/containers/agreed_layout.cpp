#include <tasuki/detail/containers/agreed_layout.hpp>

#include <tasuki/detail/containers/array_shape.hpp>
#include <tasuki/detail/containers/exchange.hpp>

#include "containers/same_on_all.hpp"

namespace tasuki::containers {
namespace {

constexpr const char* operation = "making an Array";

constexpr const char* remedy =
    "call it with the same extents, distributions, grid and order on all ranks of the team";

}  // namespace

layout::ArrayLayout agreed_layout(const std::function<layout::ArrayLayout()>& make,
                                  std::size_t element_bytes, const Team& team) {
  layout::ArrayLayout mine = do_on_all(operation, team, [&] {
    layout::ArrayLayout made = make();
    check_layout(made, element_bytes, team.size());
    return made;
  });
  require_same_on_all(text_of(mine), operation, remedy, team);
  return mine;
}

}  // namespace tasuki::containers
