// CartesianTeam for Python: a team whose ranks lie in a grid.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

/// Requires: bind_teams has been called.
void bind_cartesian_teams(nanobind::module_& module);

}  // namespace tasuki::python
