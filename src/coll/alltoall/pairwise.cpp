#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/schedule_builder.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll::alltoall {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks from = Blocks::equal(Buffer::input, shape.count);
  const Blocks to = Blocks::equal(Buffer::output, shape.count);
  builder.copy(from.of(shape.rank), to.of(shape.rank));
  builder.next_round();
  for (int distance = 1; distance < shape.ranks; ++distance) {
    const int target = (shape.rank + distance) % shape.ranks;
    const int source = wrapped(shape.rank - distance, shape.ranks);
    builder.send(target, from.of(target));
    builder.receive(source, to.of(source));
    builder.next_round();
  }
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  return {p - 1, p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor pairwise = {
    Collective::alltoall,
    "pairwise",
    "In round d every rank sends d ahead and receives from d behind (see Thakur, Rabenseifner "
    "and Gropp 2005).",
    always_applicable,
    {},
    make,
    "rounds: p - 1; elements: p (p - 1) n",
    cost};

}  // namespace tasuki::coll::alltoall
