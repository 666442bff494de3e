// The start and the end of a job whose ranks run Python, and what a rank knows of it.
//
// Thread-safety: the thread that runs the program becomes the rank's.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

void bind_job(nanobind::module_& module);

}  // namespace tasuki::python
