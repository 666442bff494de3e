#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor native = {
    Collective::barrier,      "native", "What the network's library does by itself (MPI_Ibarrier).",
    always_applicable,        {},       nullptr,
    "as the library chooses", nullptr,  Medium::network};

}  // namespace tasuki::coll::barrier
