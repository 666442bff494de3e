#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {

extern const AlgorithmDescriptor native = {
    Collective::allreduce,
    "native",
    "What the network's library does by itself (MPI_Iallreduce).",
    needs_arithmetic,
    {},
    nullptr,
    "as the library chooses",
    nullptr,
    Medium::network};

}  // namespace tasuki::coll::allreduce
