#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor flag_exchange = {
    Collective::barrier,
    "flag_exchange",
    "Every rank raises a flag and reads those of all others, eight in a word: one phase, which "
    "counts "
    "where ranks take turns on the cores.",
    always_applicable,
    {},
    nullptr,
    "one phase; p - 1 flags read by each rank",
    nullptr,
    Medium::shared_memory};

}  // namespace tasuki::coll::barrier
