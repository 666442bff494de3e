#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/butterfly.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  butterfly_reduce_scatter(builder, shape);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return folded_halving_cost(shapes.front());
}

}  // namespace

extern const AlgorithmDescriptor butterfly = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "butterfly",
    .summary =
        "Recursive halving on blocks in mirrored order, so that operators need not commute (Traff "
        "2005).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: N (q - 1 + p - q) + blocks of the p - q folded "
        "ranks; N = sum of all blocks, q = power of two <= p",
};

}  // namespace tasuki::coll::reduce_scatter_block
