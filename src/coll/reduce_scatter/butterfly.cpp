#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/butterfly.hpp"

namespace tasuki::coll::reduce_scatter {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const auto& counts = shape.receive_counts;
  butterfly_reduce_scatter(builder, shape, Blocks::varying(Buffer::input, counts),
                           total_receive_count(shape),
                           {Buffer::output, 0, counts[as_size(shape.rank)]});
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const auto& counts = shapes.front().receive_counts;
  return folded_halving_cost(shapes.front().ranks, Blocks::varying(Buffer::input, counts),
                             total_receive_count(shapes.front()));
}

}  // namespace

extern const AlgorithmDescriptor butterfly = {
    .collective = Collective::reduce_scatter,
    .name = "butterfly",
    .summary =
        "Recursive halving on blocks in mirrored order, so that operators need not commute (Traff "
        "2005).",
    .not_applicable_because = always_applicable,
    .make = make,
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: N (q - 1 + p - q) + blocks of the p - q folded "
        "ranks; N = sum of all blocks, q = power of two <= p",
    .cost = cost,
};

}  // namespace tasuki::coll::reduce_scatter
