#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor native = {
    .collective = Collective::barrier,
    .name = "native",
    .summary = "What the network's library does by itself (MPI_Ibarrier).",
    .not_applicable_because = always_applicable,
    .cost_text = "as the library chooses",
    .medium = Medium::network,
};

}  // namespace tasuki::coll::barrier
