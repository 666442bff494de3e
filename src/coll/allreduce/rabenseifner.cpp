#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"
#include "coll/phases/butterfly.hpp"

namespace tasuki::coll::allreduce {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Fold fold(shape.ranks);
  const Partition partition(shape.count, fold.active());
  const PartOffset parts = [&](int index) { return partition.offset(index); };
  Accumulator accumulator(builder, {Buffer::input, 0, shape.count},
                          {Buffer::output, 0, shape.count}, shape.in_place);
  if (fold_in(accumulator, fold, shape.rank)) {
    recursive_splitting(accumulator, fold, shape.rank, 2, parts);
    accumulator.settle();
    builder.next_round();
    recursive_joining(builder, accumulator.home(), fold, shape.rank, 2, parts);
  }
  fold_out(builder, accumulator, fold, shape.rank);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Fold fold(shapes.front().ranks);
  const std::size_t vectors = 2 * as_size(fold.active() - 1) + 2 * as_size(fold.folded());
  return {2 * as_size(ceil_log(fold.active())) + (fold.folded() > 0 ? 2 : 0),
          vectors * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor rabenseifner = {
    .collective = Collective::allreduce,
    .name = "rabenseifner",
    .summary =
        "Reduce-scatter by recursive halving, then allgather by recursive doubling (Rabenseifner "
        "2004).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: 2 log2 q, + 2 if p > q; elements: 2 n (q - 1 + p - q); q = power of two <= p",
};

}  // namespace tasuki::coll::allreduce
