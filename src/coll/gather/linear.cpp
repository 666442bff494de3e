#include "coll/phases/blocks.hpp"

namespace tasuki::coll {
namespace {

/// The root deals with the others one after the other, beginning with the next; a scatter is a
/// gather with all transfers and copies turned round.
template <bool gathers>
void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Slice own{gathers ? Buffer::input : Buffer::output, 0, shape.count};
  const auto transfer = [&](bool sends, int peer, const Slice& slice) {
    if (sends) return builder.send(peer, slice);
    builder.receive(peer, slice);
  };
  if (shape.rank != shape.root) return transfer(gathers, shape.root, own);
  const Blocks all = gathers ? received_blocks(shape) : sent_blocks(shape);
  for (int step = 1; step < shape.ranks; ++step) {
    const int other = (shape.root + step) % shape.ranks;
    transfer(!gathers, other, all.of(other));
  }
  const Slice self_block = all.of(shape.rank);
  builder.copy(gathers ? own : self_block, gathers ? self_block : own);
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) total.elements += shape.rank == shape.root ? 0 : shape.count;
  return total;
}

}  // namespace

namespace gather {

extern const AlgorithmDescriptor linear = {
    .collective = Collective::gather,
    .uneven = Collective::gatherv,
    .name = "linear",
    .summary = "Every rank sends its block to the root.",
    .way = BySchedule{write<true>, cost},
    .cost_text = "rounds: p - 1; elements: all blocks but the root's",
};

}  // namespace gather

namespace scatter {

extern const AlgorithmDescriptor linear = {
    .collective = Collective::scatter,
    .uneven = Collective::scatterv,
    .name = "linear",
    .summary = "The root sends every rank its block.",
    .way = BySchedule{write<false>, cost},
    .cost_text = "rounds: p - 1; elements: all blocks but the root's",
};

}  // namespace scatter

}  // namespace tasuki::coll
