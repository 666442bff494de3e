#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::broadcast {

extern const AlgorithmDescriptor native = {
    Collective::broadcast,    "native", "What the network's library does by itself (MPI_Ibcast).",
    needs_sizes_of_int,       {},       nullptr,
    "as the library chooses", nullptr,  Medium::network};

}  // namespace tasuki::coll::broadcast
