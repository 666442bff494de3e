#include <tasuki/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::scan {

extern const AlgorithmDescriptor native = {
    .collective = Collective::scan,
    .name = "native",
    .summary = "What the network's library does by itself (MPI_Iscan).",
    .not_applicable_because = needs_arithmetic,
    .cost_text = "as the library chooses",
    .medium = Medium::network,
};

}  // namespace tasuki::coll::scan
