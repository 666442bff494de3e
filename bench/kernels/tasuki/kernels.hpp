// The kernels over Tasuki, each in the file of its name.
//
// Called by kernels_tasuki. Thread-safety: the rank's own thread; collective.
#pragma once

#include <cstdint>

#include "kernel.hpp"

namespace tasuki::bench::kernels {

/// `size` is for each rank of them: numbers, keys, darts, tasks, vertices.
Measured histogram_by_atomics(std::int64_t size);
Measured histogram_by_post(std::int64_t size);
Measured index_gather_by_reads(std::int64_t size);
Measured index_gather_by_then(std::int64_t size);
Measured map_insert(std::int64_t size);
Measured permutation(std::int64_t size);
Measured shortest_paths(std::int64_t size);
Measured topological_sort(std::int64_t size);
Measured triangles(std::int64_t size);
/// Of a rank's block: its side, in cells.
Measured stencil(std::int64_t size);
/// `size` is of the whole: rows, or rows and columns; subtrees.
Measured pipeline(std::int64_t size);
Measured transpose(std::int64_t size);
Measured tree_search(std::int64_t size);

}  // namespace tasuki::bench::kernels
