// The kernels over MPI, each in the file of its name: plain loops, as one writes them by hand.
//
// Called by kernels_mpi. Thread-safety: the main thread; collective.
#pragma once

#include <cstdint>

#include "kernel.hpp"

namespace tasuki::bench::kernels {

Measured histogram(std::int64_t size);
Measured index_gather(std::int64_t size);
Measured pipeline(std::int64_t size);
Measured stencil(std::int64_t size);
Measured transpose(std::int64_t size);

}  // namespace tasuki::bench::kernels
