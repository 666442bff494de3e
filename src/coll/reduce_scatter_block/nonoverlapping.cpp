#include "coll/phases/blocks.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const std::size_t total = total_receive_count(shape);
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, 0, 2);
  const Slice own{Buffer::input, 0, total};
  Accumulator accumulator(builder, own, node.children.empty() ? own : builder.scratch(total));
  knomial_reduce(accumulator, node);
  if (shape.rank != 0) {
    builder.receive(0, result);
    builder.next_round();
    return;
  }
  const Blocks sums = blocks.moved_to(accumulator.value(), shape.ranks);
  for (int other = 1; other < shape.ranks; ++other) builder.send(other, sums.of(other));
  builder.copy(sums.of(0), result);
  builder.next_round();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = total_receive_count(shapes.front());
  return {as_size(ceil_log(shapes.front().ranks)) + p - 1,
          (p - 1) * total + total - operand_blocks(shapes.front()).count(0)};
}

}  // namespace

extern const AlgorithmDescriptor nonoverlapping = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "nonoverlapping",
    .summary = "A binomial reduce to rank 0, which sends everybody its block.",
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: ceil(log2 p) + p - 1; elements: (p - 1) N and all blocks but the first; N = sum "
        "of all blocks",
};

}  // namespace tasuki::coll::reduce_scatter_block
