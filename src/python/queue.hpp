// The queue of objects behind a Sync of python/tasuki/ranks/sync.py, on its own rank.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

void bind_queue(nanobind::module_& module);

}  // namespace tasuki::python
