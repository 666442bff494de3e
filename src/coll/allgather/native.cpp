#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::allgather {

extern const AlgorithmDescriptor native = {
    Collective::allgather,
    "native",
    "What the network's library does by itself (MPI_Iallgather).",
    needs_sizes_of_int,
    {},
    nullptr,
    "as the library chooses",
    nullptr,
    Medium::network};

}  // namespace tasuki::coll::allgather
