#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor flag_exchange = {
    .collective = Collective::barrier,
    .name = "flag_exchange",
    .summary =
        "Every rank raises a flag and reads those of all others, eight in a word: one phase, which "
        "counts where ranks take turns on the cores.",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{},
    .cost_text = "one phase; p - 1 flags read by each rank",
};

}  // namespace tasuki::coll::barrier
