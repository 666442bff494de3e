#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor flag_tree_two_level = {
    .collective = Collective::barrier,
    .name = "flag_tree_two_level",
    .summary =
        "The flags of each eight ranks lie in a word that their leader reads, those of the leaders "
        "in words that the root reads; one line that all read releases them (Mitsuhashi et al. "
        "2002).",
    .not_applicable_because = always_applicable,
    .way = InNodeMemory{},
    .cost_text = "three phases; 1 word read by each leader, p / 64 by the root",
};

}  // namespace tasuki::coll::barrier
