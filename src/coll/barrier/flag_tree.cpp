#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor flag_tree = {
    .collective = Collective::barrier,
    .name = "flag_tree",
    .summary =
        "The flags of all ranks lie eight in a word that the root reads at once; it releases the "
        "others by a word put to each (Mitsuhashi et al. 2002).",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{},
    .cost_text = "two phases; p / 8 words read and p - 1 written by the root",
};

}  // namespace tasuki::coll::barrier
