#include "coll/phases/blocks.hpp"

namespace tasuki::coll::gather {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"outstanding", 4, 1, 1 << 20, "blocks that the root awaits at a time"}};

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const Blocks all = Blocks::equal(Buffer::output, shape.count);
  const Slice own{Buffer::input, 0, shape.count};
  if (shape.rank != shape.root) {
    builder.await_signal(shape.root);
    builder.next_round();
    builder.send(shape.root, own);
    return;
  }
  const int batch = static_cast<int>(given.get("outstanding"));
  builder.copy(own, all.of(shape.rank));
  for (int step = 1; step < shape.ranks; ++step) {
    if ((step - 1) % batch == 0) builder.next_round();
    const int other = (shape.root + step) % shape.ranks;
    builder.signal(other);
    builder.receive(other, all.of(other));
  }
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const std::size_t others = shapes.size() - 1;
  const auto batch = static_cast<std::size_t>(given.get("outstanding"));
  // The requests of a batch go out while its first blocks come in.
  return {others + ceil_div(others, batch), others * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor linear_sync = {
    .collective = Collective::gather,
    .name = "linear_sync",
    .summary =
        "The root asks for one block after the other, so that no more than so many arrive at a "
        "time (Open MPI).",
    .parameters = parameters,
    .way = BySchedule{write, cost},
    .cost_text = "rounds: p - 1, and as many for the requests; elements: (p - 1) n",
};

}  // namespace tasuki::coll::gather
