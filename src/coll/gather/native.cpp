#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::gather {

extern const AlgorithmDescriptor native = {
    Collective::gather,       "native", "What the network's library does by itself (MPI_Igather).",
    needs_sizes_of_int,       {},       nullptr,
    "as the library chooses", nullptr,  Medium::network};

}  // namespace tasuki::coll::gather
