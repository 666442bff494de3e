// What fills the halos of python/tasuki/ranks/halo.py: tasuki::Halo and tasuki::HaloExchange for
// elements that only Python knows, as bytes.
//
// The memory is arrays of Python. Made by halo.py.
//
// Thread-safety: the rank's own thread, by a fiber that runs Python.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::python {

void bind_halo_blocks(nanobind::module_& module);

}  // namespace tasuki::python
