#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce {

extern const AlgorithmDescriptor native = {
    Collective::reduce,       "native", "What the network's library does by itself (MPI_Ireduce).",
    needs_arithmetic,         {},       nullptr,
    "as the library chooses", nullptr,  Medium::network};

}  // namespace tasuki::coll::reduce
