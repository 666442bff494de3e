#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::exscan {

extern const AlgorithmDescriptor native = {
    Collective::exscan,       "native", "What the network's library does by itself (MPI_Iexscan).",
    needs_arithmetic,         {},       nullptr,
    "as the library chooses", nullptr,  Medium::network};

}  // namespace tasuki::coll::exscan
