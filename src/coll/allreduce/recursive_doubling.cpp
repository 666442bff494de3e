#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/butterfly.hpp"

namespace tasuki::coll::allreduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Fold fold(shape.ranks);
  Accumulator accumulator(builder, {Buffer::input, 0, shape.count},
                          {Buffer::output, 0, shape.count}, shape.in_place);
  if (fold_in(accumulator, fold, shape.rank)) {
    recursive_multiplying(accumulator, fold, shape.rank, 2);
    accumulator.settle();
  }
  fold_out(builder, accumulator, fold, shape.rank);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Fold fold(shapes.front().ranks);
  const std::size_t rounds = as_size(ceil_log(fold.active()));
  const std::size_t vectors = as_size(fold.active()) * rounds + 2 * as_size(fold.folded());
  return {rounds + (fold.folded() > 0 ? 2 : 0), vectors * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor recursive_doubling = {
    .collective = Collective::allreduce,
    .name = "recursive_doubling",
    .summary =
        "Whole vectors exchanged at doubling distances, after folding to a power of two (Thakur, "
        "Rabenseifner and Gropp 2005).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: n (q log2 q + 2 (p - q)); q = power of two <= p",
};

}  // namespace tasuki::coll::allreduce
