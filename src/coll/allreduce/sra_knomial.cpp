#include "coll/phases/butterfly.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration team_radix =
    radix(4, "ranks that split what they have among them in one round");

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const int team = radix_of(given);
  const Fold fold(shape.ranks, team);
  const Partition partition(shape.count, fold.active());
  const PartOffset parts = [&](int index) { return partition.offset(index); };
  Accumulator accumulator = whole_vector(builder, shape);
  if (fold_in(accumulator, fold, shape.rank)) {
    recursive_splitting(accumulator, fold, shape.rank, team, parts);
    accumulator.settle();
    builder.next_round();
    recursive_joining(builder, accumulator.home(), fold, shape.rank, team, parts);
  }
  fold_out(builder, accumulator, fold, shape.rank);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int team = radix_of(given);
  const Fold fold(shapes.front().ranks, team);
  const std::size_t exchanges = as_size(ceil_log(fold.active(), team) * (team - 1));
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
    .parameters = {&team_radix, 1},
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: 2 (k - 1) log_k q + 2 (ceil(p / q) - 1); elements: 2 n (q - 1 + p - q); k = "
        "radix, q = power of k <= p",
};

extern const AlgorithmDescriptor rabenseifner = {
    .collective = Collective::allreduce,
    .name = "rabenseifner",
    .summary =
        "Reduce-scatter by recursive halving, then allgather by recursive doubling (Rabenseifner "
        "2004).",
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: 2 log2 q, + 2 if p > q; elements: 2 n (q - 1 + p - q); q = power of two <= p",
};

}  // namespace tasuki::coll::allreduce
