#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::exscan {

extern const AlgorithmDescriptor native = {
    .collective = Collective::exscan,
    .name = "native",
    .summary = "What the network's library does by itself (MPI_Iexscan).",
    .not_applicable_because = needs_arithmetic,
    .cost_text = "as the library chooses",
    .medium = Medium::network,
};

}  // namespace tasuki::coll::exscan
