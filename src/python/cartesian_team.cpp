#include "python/cartesian_team.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tasuki/containers/cartesian_team.hpp>
#include <utility>
#include <vector>

#include "python/team.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {

namespace nb = nanobind;
using namespace nb::literals;

void bind_cartesian_teams(nb::module_& module) {
  nb::class_<CartesianTeam, Team>(module, "CartesianTeam")
      .def(nb::init<const Team&, std::vector<int>, std::vector<bool>>(), "team"_a, "extents"_a,
           "periods"_a = std::vector<bool>())
      .def("dimensions", &CartesianTeam::dimensions)
      .def("extent", &CartesianTeam::extent, "dimension"_a)
      .def("is_periodic", &CartesianTeam::is_periodic, "dimension"_a)
      .def(
          "coordinates",
          [](const CartesianTeam& grid, std::optional<int> rank) {
            return grid.coordinates(rank.value_or(grid.rank()));
          },
          "rank"_a = nb::none())
      .def("rank_at", &CartesianTeam::rank_at, "coordinates"_a)
      .def("neighbour", &CartesianTeam::neighbour, "displacement"_a)
      .def("along", &CartesianTeam::along, "dimensions"_a, nb::call_guard<Released>());
}

}  // namespace tasuki::python
