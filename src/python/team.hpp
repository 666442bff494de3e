// Teams for Python, and the argument `team` of functions that take one.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <nanobind/nanobind.h>

#include <tasuki/team.hpp>

namespace tasuki::python {

/// The team that an argument names; nullptr: all ranks. Throws tasuki::error outside `run`.
const Team& team_or_world(const Team* team);

void bind_teams(nanobind::module_& module);

}  // namespace tasuki::python
