// The kernels over Tasuki, each in the file of its name.
//
// Called by kernels_tasuki. Thread-safety: the rank's own thread; collective.
#pragma once

#include <cstdint>

#include "kernel.hpp"

namespace tasuki::bench::kernels {

Measured histogram_by_post(std::int64_t size);

}  // namespace tasuki::bench::kernels
