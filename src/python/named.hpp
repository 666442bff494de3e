// Calls of functions by name, of C++ and Python: what python/tasuki/ranks/named.py has put into
// common values travels as bytes.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

void bind_named(nanobind::module_& module);

}  // namespace tasuki::python
