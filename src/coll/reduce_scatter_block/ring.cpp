#include "coll/phases/circulant_phases.hpp"
#include "coll/phases/ring_phases.hpp"
#include "coll/preconditions.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

/// Partial results have no place in the output, which is one block long.
template <class Phase>
void reduce_in_scratch(ScheduleBuilder& builder, const Shape& shape, Phase phase) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  if (shape.ranks == 1) {
    builder.copy(blocks.of(0), result);
    return;
  }
  const Blocks sums = blocks.moved_to(builder.scratch(total_receive_count(shape)), shape.ranks);
  phase(blocks, sums);
  builder.copy(sums.of(shape.rank), result);
}

void write_ring(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  reduce_in_scratch(builder, shape, [&](const Blocks& own, const Blocks& sums) {
    ring_reduce_scatter(builder, {shape.ranks, shape.rank}, own, sums, false);
  });
}

void write_circulant(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  reduce_in_scratch(builder, shape, [&](const Blocks& own, const Blocks& sums) {
    circulant_reduce_scatter(builder, shape.ranks, shape.rank, own, sums, false);
  });
}

}  // namespace

extern const AlgorithmDescriptor ring = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "ring",
    .summary = "Partial results of blocks go round the ring (Open MPI; Patarasuk and Yuan 2009).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{write_ring, all_blocks_cost<others>},
    .cost_text = "rounds: p - 1; elements: (p - 1) N; N = sum of all blocks",
};

extern const AlgorithmDescriptor circulant = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "circulant",
    .summary = "On a circulant graph, fewest rounds and bytes for any p (Traff 2024).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{write_circulant, all_blocks_cost<ceil_log2>},
    .cost_text = "rounds: ceil(log2 p); elements: (p - 1) N; N = sum of all blocks",
};

}  // namespace tasuki::coll::reduce_scatter_block
