#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce_scatter_block {

extern const AlgorithmDescriptor native = {
    Collective::reduce_scatter_block,
    "native",
    "What the network's library does by itself (MPI_Ireduce_scatter_block).",
    needs_arithmetic,
    {},
    nullptr,
    "as the library chooses",
    nullptr,
    Medium::network};

}  // namespace tasuki::coll::reduce_scatter_block
