#include "coll/phases/linear_phases.hpp"

namespace tasuki::coll::reduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const bool is_root = shape.rank == shape.root;
  const Buffer source = is_root && shape.in_place ? Buffer::output : Buffer::input;
  const Blocks own = Blocks::cut(source, shape.count, shape.ranks);
  const Blocks home = Blocks::cut(Buffer::output, shape.count, shape.ranks);
  const Slice share = is_root ? home.of(shape.rank) : builder.scratch(home.count(shape.rank));
  linear_reduce_scatter(builder, shape.ranks, shape.rank, own, share);
  if (!is_root) {
    builder.send(shape.root, share);
  } else {
    for (int step = 1; step < shape.ranks; ++step) {
      const int from = wrapped(shape.rank - step, shape.ranks);
      builder.receive(from, home.of(from));
    }
  }
  builder.next_round();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  const std::size_t others = shapes.size() - 1;
  const std::size_t roots_share =
      Blocks::cut(Buffer::output, shape.count, shape.ranks).count(shape.root);
  return {2 * others, (others + 1) * shape.count - roots_share};
}

}  // namespace

extern const AlgorithmDescriptor srg_linear = {
    .collective = Collective::reduce,
    .name = "srg_linear",
    .summary =
        "Everybody sends everybody its share, combines its own in rank order, and sends the result "
        "to the root (reduce-scatter and gather in one step each).",
    .way = BySchedule{write, cost},
    .cost_text = "rounds: 2 (p - 1); elements: p n, less the root's share",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::reduce
