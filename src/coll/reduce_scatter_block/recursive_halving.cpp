#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/butterfly.hpp"
#include "coll/phases/reduce_scatter_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  halving_reduce_scatter(builder, shape);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return folded_halving_cost(shapes.front());
}

}  // namespace

extern const AlgorithmDescriptor recursive_halving = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "recursive_halving",
    .summary =
        "Halves exchanged at halving distance, after folding to a power of two (Thakur, "
        "Rabenseifner and Gropp 2005).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: N (q - 1 + p - q) + blocks of the p - q folded "
        "ranks; N = sum of all blocks, q = power of two <= p",
};

}  // namespace tasuki::coll::reduce_scatter_block
