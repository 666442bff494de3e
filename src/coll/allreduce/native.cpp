#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor native = {
    .collective = Collective::allreduce,
    .name = "native",
    .summary = "What the network's library does by itself (MPI_Iallreduce).",
    .not_applicable_because = needs_arithmetic,
    .cost_text = "as the library chooses",
    .medium = Medium::network,
};

}  // namespace tasuki::coll::allreduce
