#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::broadcast {

extern const AlgorithmDescriptor native = {
    .collective = Collective::broadcast,
    .name = "native",
    .summary = "What the network's library does by itself (MPI_Ibcast).",
    .not_applicable_because = needs_sizes_of_int,
    .cost_text = "as the library chooses",
    .medium = Medium::network,
};

}  // namespace tasuki::coll::broadcast
