// The class Error of Python: a tasuki::error with its parts as attributes.
//
// Thread-safety: holders of the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

/// Adds Error, as which every tasuki::error arrives in Python, and `make_error`, by which Python
/// has its own.
void bind_errors(nanobind::module_& module);

}  // namespace tasuki::python
