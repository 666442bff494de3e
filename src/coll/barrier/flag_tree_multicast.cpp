#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor flag_tree_multicast = {
    .collective = Collective::barrier,
    .name = "flag_tree_multicast",
    .summary =
        "The flags of all ranks lie eight in a word that the root reads at once; it releases the "
        "others by one line that all read (Mitsuhashi et al. 2002).",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{},
    .cost_text = "two phases; p / 8 words read and 1 written by the root",
};

}  // namespace tasuki::coll::barrier
