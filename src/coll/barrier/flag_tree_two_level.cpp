#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor flag_tree_two_level = {
    Collective::barrier,
    "flag_tree_two_level",
    "The flags of each eight ranks lie in a word that their leader reads, those of the leaders in "
    "words that "
    "the root reads; one line that all read releases them (Mitsuhashi et al. 2002).",
    always_applicable,
    {},
    nullptr,
    "three phases; 1 word read by each leader, p / 64 by the root",
    nullptr,
    Medium::shared_memory};

}  // namespace tasuki::coll::barrier
