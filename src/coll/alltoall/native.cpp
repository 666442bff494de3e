#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::alltoall {

extern const AlgorithmDescriptor native = {
    Collective::alltoall,
    "native",
    "What the network's library does by itself (MPI_Ialltoall).",
    needs_sizes_of_int,
    {},
    nullptr,
    "as the library chooses",
    nullptr,
    Medium::network};

}  // namespace tasuki::coll::alltoall
