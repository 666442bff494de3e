#include "coll/patterns/tree.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/circulant_phases.hpp"
#include "coll/phases/ring_phases.hpp"

namespace tasuki::coll::broadcast {
namespace {

/// By number relative to the root: the blocks of a whole subtree.
Slice subtree_blocks(const Shape& shape, int relative) {
  const int size = knomial_subtree_size(shape.ranks, relative, 2);
  return Blocks::cut(Buffer::output, shape.count, shape.ranks).range(relative, relative + size);
}

/// The message in the root's output is cut into one block per rank; block i ends in its place in
/// the output of the rank with number i relative to the root, down a binomial tree. The phase
/// gathers them everywhere.
template <AllgatherPhase allgather>
void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, shape.root, 2);
  const auto relative = [&](int rank) { return wrapped(rank - shape.root, shape.ranks); };
  if (node.parent >= 0) {
    builder.receive(node.parent, subtree_blocks(shape, relative(shape.rank)));
    builder.next_round();
  }
  for (const int child : node.children) {
    builder.send(child, subtree_blocks(shape, relative(child)));
  }
  builder.next_round();
  allgather(builder, {shape.ranks, relative(shape.rank), shape.root},
            Blocks::cut(Buffer::output, shape.count, shape.ranks));
}

template <Rounds rounds>
Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  std::size_t elements = as_size(shape.ranks - 1) * shape.count;
  for (int v = 1; v < shape.ranks; ++v) elements += subtree_blocks(shape, v).count;
  return {as_size(ceil_log(shape.ranks) + rounds(shape.ranks)), elements};
}

}  // namespace

extern const AlgorithmDescriptor scatter_allgather = {
    .collective = Collective::broadcast,
    .name = "scatter_allgather",
    .summary =
        "A binomial scatter, then an allgather in ceil(log2 p) rounds on a circulant graph (van de "
        "Geijn 1994; Traff 2024).",
    .way = BySchedule{write<circulant_allgather>, cost<ceil_log2>},
    .cost_text = "rounds: 2 ceil(log2 p); elements: (p - 1) n + sum of the subtrees' blocks",
};

extern const AlgorithmDescriptor scatter_allgather_ring = {
    .collective = Collective::broadcast,
    .name = "scatter_allgather_ring",
    .summary =
        "A binomial scatter, then a ring allgather (van de Geijn 1994; see Thakur, Rabenseifner "
        "and Gropp 2005).",
    .way = BySchedule{write<ring_allgather>, cost<others>},
    .cost_text = "rounds: ceil(log2 p) + p - 1; elements: (p - 1) n + sum of the subtrees' blocks",
};

}  // namespace tasuki::coll::broadcast
