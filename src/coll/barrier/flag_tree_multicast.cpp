#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll::barrier {

extern const AlgorithmDescriptor flag_tree_multicast = {
    Collective::barrier,
    "flag_tree_multicast",
    "The flags of all ranks lie eight in a word that the root reads at once; it releases the "
    "others by one "
    "line that all read (Mitsuhashi et al. 2002).",
    always_applicable,
    {},
    nullptr,
    "two phases; p / 8 words read and 1 written by the root",
    nullptr,
    Medium::shared_memory};

}  // namespace tasuki::coll::barrier
