#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"
#include "coll/phases/butterfly.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"radix", 4, 2, 64, "ranks that split what they have among them in one round"}};

int radix_of(const Parameters& given) { return static_cast<int>(given.get("radix")); }

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const int radix = radix_of(given);
  const Fold fold(shape.ranks, radix);
  const Partition partition(shape.count, fold.active());
  const PartOffset parts = [&](int index) { return partition.offset(index); };
  Accumulator accumulator(builder, {Buffer::input, 0, shape.count},
                          {Buffer::output, 0, shape.count}, shape.in_place);
  if (fold_in(accumulator, fold, shape.rank)) {
    recursive_splitting(accumulator, fold, shape.rank, radix, parts);
    accumulator.settle();
    builder.next_round();
    recursive_joining(builder, accumulator.home(), fold, shape.rank, radix, parts);
  }
  fold_out(builder, accumulator, fold, shape.rank);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int radix = radix_of(given);
  const Fold fold(shapes.front().ranks, radix);
  const std::size_t exchanges = as_size(ceil_log(fold.active(), radix) * (radix - 1));
  const std::size_t vectors = 2 * as_size(fold.active() - 1 + fold.folded());
  return {2 * exchanges + 2 * as_size(fold.size(0) - 1), vectors * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor sra_knomial = {
    .collective = Collective::allreduce,
    .name = "sra_knomial",
    .summary =
        "Reduce-scatter and allgather with teams of `radix` ranks per round (UCC's name; "
        "Rabenseifner 2004 is radix 2).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: 2 (k - 1) log_k q + 2 (ceil(p / q) - 1); elements: 2 n (q - 1 + p - q); k = "
        "radix, q = power of k <= p",
};

}  // namespace tasuki::coll::allreduce
