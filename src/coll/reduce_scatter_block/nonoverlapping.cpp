#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_scatter_phases.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  reduce_then_scatter(builder, shape, Blocks::equal(Buffer::input, shape.count),
                      as_size(shape.ranks) * shape.count, {Buffer::output, 0, shape.count});
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const std::size_t total = shapes.size() * shapes.front().count;
  return {as_size(ceil_log(shapes.front().ranks)) + p - 1,
          (p - 1) * total + total - shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor nonoverlapping = {
    .collective = Collective::reduce_scatter_block,
    .name = "nonoverlapping",
    .summary = "A binomial reduce to rank 0, which sends everybody its block.",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text =
        "rounds: ceil(log2 p) + p - 1; elements: (p - 1) N and all blocks but the first; N = sum "
        "of all blocks",
    .cost = cost,
};

}  // namespace tasuki::coll::reduce_scatter_block
