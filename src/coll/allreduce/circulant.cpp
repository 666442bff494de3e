#include "coll/phases/circulant_phases.hpp"
#include "coll/preconditions.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::allreduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const int p = shape.ranks;
  const Blocks own = Blocks::cut(Buffer::input, shape.count, p);
  const Blocks home = Blocks::cut(Buffer::output, shape.count, p);
  if (p == 1 && !shape.in_place) builder.copy(own.of(0), home.of(0));
  circulant_reduce_scatter(builder, p, shape.rank, own, home, shape.in_place);
  circulant_allgather(builder, {p, shape.rank}, home);
}

}  // namespace

extern const AlgorithmDescriptor circulant = {
    .collective = Collective::allreduce,
    .name = "circulant",
    .summary =
        "Reduce-scatter and allgather on a circulant graph, fewest rounds and bytes for any p "
        "(Traff 2024).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{write, vector_cost<ceil_log2, 2>},
    .cost_text = "rounds: 2 ceil(log2 p); elements: 2 (p - 1) n",
};

}  // namespace tasuki::coll::allreduce
