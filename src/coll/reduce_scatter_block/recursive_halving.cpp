#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/butterfly.hpp"
#include "coll/phases/reduce_scatter_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  halving_reduce_scatter(builder, shape, Blocks::equal(Buffer::input, shape.count),
                         as_size(shape.ranks) * shape.count, {Buffer::output, 0, shape.count});
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  return folded_halving_cost(shape.ranks, Blocks::equal(Buffer::input, shape.count),
                             as_size(shape.ranks) * shape.count);
}

}  // namespace

extern const AlgorithmDescriptor recursive_halving = {
    .collective = Collective::reduce_scatter_block,
    .name = "recursive_halving",
    .summary =
        "Halves exchanged at halving distance, after folding to a power of two (Thakur, "
        "Rabenseifner and Gropp 2005).",
    .not_applicable_because = needs_commutative,
    .make = make,
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: N (q - 1 + p - q) + blocks of the p - q folded "
        "ranks; N = sum of all blocks, q = power of two <= p",
    .cost = cost,
};

}  // namespace tasuki::coll::reduce_scatter_block
