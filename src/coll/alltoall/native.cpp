#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::alltoall {

extern const AlgorithmDescriptor native = {
    .collective = Collective::alltoall,
    .name = "native",
    .summary = "What the network's library does by itself (MPI_Ialltoall).",
    .not_applicable_because = needs_sizes_of_int,
    .cost_text = "as the library chooses",
    .medium = Medium::network,
};

}  // namespace tasuki::coll::alltoall
