// The kernels over Tasuki, each in the file of its name.
//
// Called by kernels_tasuki. Thread-safety: the rank's own thread; collective.
#pragma once

#include <cstdint>

#include "kernel.hpp"

namespace tasuki::bench::kernels {

Measured histogram_by_post(std::int64_t size);
Measured stencil(std::int64_t size);  // the side of a rank's block, in cells

}  // namespace tasuki::bench::kernels
