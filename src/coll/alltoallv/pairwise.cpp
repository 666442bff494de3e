#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/schedule_builder.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll::alltoallv {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks from = Blocks::varying(Buffer::input, shape.send_counts, shape.send_displacements);
  const Blocks to =
      Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements);
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
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) {
    for (int target = 0; target < shape.ranks; ++target) {
      if (target != shape.rank) total.elements += shape.send_counts[as_size(target)];
    }
  }
  return total;
}

}  // namespace

extern const AlgorithmDescriptor pairwise = {
    Collective::alltoallv,
    "pairwise",
    "In round d every rank sends d ahead and receives from d behind (see Thakur, Rabenseifner "
    "and Gropp 2005).",
    always_applicable,
    {},
    make,
    "rounds: p - 1; elements: all that leave their rank",
    cost};

}  // namespace tasuki::coll::alltoallv
