#include "coll/phases/accumulator.hpp"
#include "coll/phases/blocks.hpp"
#include "coll/preconditions.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const int p = shape.ranks;
  const Slice own = blocks.of(shape.rank);
  if (p == 1) builder.copy(own, result);
  Accumulator accumulator(builder, own, result);
  for (int distance = 1; distance < p; ++distance) {
    const int target = (shape.rank + distance) % p;
    builder.send(target, blocks.of(target));
    accumulator.absorb(wrapped(shape.rank - distance, p), Side::left);
  }
}

}  // namespace

extern const AlgorithmDescriptor pairwise = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "pairwise",
    .summary =
        "In round d every rank sends the block of the rank d ahead (see Thakur, Rabenseifner and "
        "Gropp 2005).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{write, all_blocks_cost<others>},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::reduce_scatter_block
