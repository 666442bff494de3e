// Remote reads and writes of memory, for python/tasuki/ranks/array.py.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

void bind_memory(nanobind::module_& module);

}  // namespace tasuki::python
