#include "python/team.hpp"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "python/thread_state.hpp"

namespace tasuki::python {

namespace nb = nanobind;

const Team& team_or_world(const Team* team) { return team == nullptr ? world_team() : *team; }

void bind_teams(nb::module_& module) {
  nb::class_<Team>(module, "Team")
      .def("is_empty", &Team::is_empty)
      .def("rank", &Team::rank)
      .def("size", &Team::size)
      .def("world_rank", &Team::world_rank, nb::arg("team_rank"))
      .def("world_ranks",
           [](const Team& team) {
             const std::span<const int> ranks = team.world_ranks();
             return std::vector<int>(ranks.begin(), ranks.end());
           })
      .def(
          "split",
          [](const Team& team, int color, int key) {
            const Released released;
            return team.split(color, key);
          },
          nb::arg("color"), nb::arg("key") = 0);
  module.def("world_team", [] { return world_team(); });
  module.def(
      "team_of",
      [](std::vector<int> world_ranks, std::uint64_t name) {
        const Released released;
        return team_of(std::move(world_ranks), name);
      },
      nb::arg("world_ranks"), nb::arg("name"));
}

}  // namespace tasuki::python
