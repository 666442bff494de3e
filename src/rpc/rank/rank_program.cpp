#include "rpc/rank/rank_program.hpp"

#include <algorithm>

namespace tasuki::rpc {

const RoutineEntry* RankProgram::find(std::string_view routine) const noexcept {
  const auto name_of = [](const RoutineEntry& one) { return std::string_view(one.name); };
  const auto found = std::ranges::find(routines, routine, name_of);
  return found == routines.end() ? nullptr : &*found;
}

}  // namespace tasuki::rpc
