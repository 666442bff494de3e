#include "coll/phases/butterfly.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration team_radix =
    radix(4, "ranks that exchange whole vectors in one round");

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const Fold fold(shape.ranks, radix_of(given));
  Accumulator accumulator = whole_vector(builder, shape);
  if (fold_in(accumulator, fold, shape.rank)) {
    recursive_multiplying(accumulator, fold, shape.rank, radix_of(given));
    accumulator.settle();
  }
  fold_out(builder, accumulator, fold, shape.rank);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int team = radix_of(given);
  const Fold fold(shapes.front().ranks, team);
  const std::size_t exchanges = as_size(ceil_log(fold.active(), team) * (team - 1));
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
    .parameters = {&team_radix, 1},
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: (k - 1) log_k q + 2 (ceil(p / q) - 1); elements: n (q (k - 1) log_k q + 2 (p - "
        "q)); k = radix, q = power of k <= p",
};

extern const AlgorithmDescriptor recursive_doubling = {
    .collective = Collective::allreduce,
    .name = "recursive_doubling",
    .summary =
        "Whole vectors exchanged at doubling distances, after folding to a power of two (Thakur, "
        "Rabenseifner and Gropp 2005).",
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: n (q log2 q + 2 (p - q)); q = power of two <= p",
};

}  // namespace tasuki::coll::allreduce
