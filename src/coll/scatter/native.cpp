#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::scatter {

extern const AlgorithmDescriptor native = {
    Collective::scatter,      "native", "What the network's library does by itself (MPI_Iscatter).",
    needs_sizes_of_int,       {},       nullptr,
    "as the library chooses", nullptr,  Medium::network};

}  // namespace tasuki::coll::scatter
