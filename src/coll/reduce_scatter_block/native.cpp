#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce_scatter_block {

extern const AlgorithmDescriptor native = {
    .collective = Collective::reduce_scatter_block,
    .name = "native",
    .summary = "What the network's library does by itself (MPI_Ireduce_scatter_block).",
    .not_applicable_because = needs_arithmetic,
    .cost_text = "as the library chooses",
    .medium = Medium::network,
};

}  // namespace tasuki::coll::reduce_scatter_block
