// Calls of Python functions on other ranks: what python/tasuki/ranks/calls.py has pickled travels
// as bytes.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

void bind_calls(nanobind::module_& module);

}  // namespace tasuki::python
