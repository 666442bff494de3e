// The collectives of tasuki/collectives.hpp on arrays of Python, blocking and as futures.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

void bind_collectives(nanobind::module_& module);

}  // namespace tasuki::python
