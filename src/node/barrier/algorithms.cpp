#include "node/barrier/flag_barrier.hpp"
#include "node/segment/node_function.hpp"

namespace tasuki::node::barrier {
namespace {

constexpr coll::AlgorithmDescriptor of_flags(const char* name, const coll::InNodeMemory& way,
                                             const char* summary, const char* cost_text) {
  return {.collective = coll::Collective::barrier,
          .name = name,
          .summary = summary,
          .way = way,
          .cost_text = cost_text};
}

}  // namespace

extern const coll::AlgorithmDescriptor flag_exchange = of_flags(
    "flag_exchange", in_shared_memory<&FlagBarrier::exchange>,
    "Every rank raises a flag and reads those of all others, eight in a word: one phase, which "
    "counts where ranks take turns on the cores.",
    "one phase; p - 1 flags read by each rank");

extern const coll::AlgorithmDescriptor flag_tree = of_flags(
    "flag_tree", in_shared_memory<&FlagBarrier::tree>,
    "The flags of all ranks lie eight in a word that the root reads at once; it releases the "
    "others by a word put to each (Mitsuhashi et al. 2002).",
    "two phases; p / 8 words read and p - 1 written by the root");

extern const coll::AlgorithmDescriptor flag_tree_multicast = of_flags(
    "flag_tree_multicast", in_shared_memory<&FlagBarrier::tree_multicast>,
    "The flags of all ranks lie eight in a word that the root reads at once; it releases the "
    "others by one line that all read (Mitsuhashi et al. 2002).",
    "two phases; p / 8 words read and 1 written by the root");

extern const coll::AlgorithmDescriptor flag_tree_two_level = of_flags(
    "flag_tree_two_level", in_shared_memory<&FlagBarrier::tree_two_level>,
    "The flags of each eight ranks lie in a word that their leader reads, those of the leaders in "
    "words that the root reads; one line that all read releases them (Mitsuhashi et al. 2002).",
    "three phases; 1 word read by each leader, p / 64 by the root");

}  // namespace tasuki::node::barrier
