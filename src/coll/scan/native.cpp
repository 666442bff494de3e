#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::scan {

extern const AlgorithmDescriptor native = {
    Collective::scan,         "native", "What the network's library does by itself (MPI_Iscan).",
    needs_arithmetic,         {},       nullptr,
    "as the library chooses", nullptr,  Medium::network};

}  // namespace tasuki::coll::scan
