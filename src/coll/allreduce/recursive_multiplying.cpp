#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/butterfly.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"radix", 4, 2, 64, "ranks that exchange whole vectors in one round"}};

int radix_of(const Parameters& given) { return static_cast<int>(given.get("radix")); }

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const Fold fold(shape.ranks, radix_of(given));
  Accumulator accumulator(builder, {Buffer::input, 0, shape.count},
                          {Buffer::output, 0, shape.count}, shape.in_place);
  if (fold_in(accumulator, fold, shape.rank)) {
    recursive_multiplying(accumulator, fold, shape.rank, radix_of(given));
    accumulator.settle();
  }
  fold_out(builder, accumulator, fold, shape.rank);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int radix = radix_of(given);
  const Fold fold(shapes.front().ranks, radix);
  const std::size_t exchanges = as_size(ceil_log(fold.active(), radix) * (radix - 1));
  const std::size_t vectors = as_size(fold.active()) * exchanges + 2 * as_size(fold.folded());
  return {exchanges + 2 * as_size(fold.size(0) - 1), vectors * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor recursive_multiplying = {
    .collective = Collective::allreduce,
    .name = "recursive_multiplying",
    .summary =
        "Recursive doubling with teams of `radix` ranks per round (MPICH; Ruefenacht, Bull and "
        "Booth 2017).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: (k - 1) log_k q + 2 (ceil(p / q) - 1); elements: n (q (k - 1) log_k q + 2 (p - "
        "q)); k = radix, q = power of k <= p",
};

}  // namespace tasuki::coll::allreduce
