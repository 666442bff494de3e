#include "coll/phases/allgather_phases.hpp"
#include "coll/phases/linear_phases.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::allreduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Buffer source = shape.in_place ? Buffer::output : Buffer::input;
  const Blocks own = Blocks::cut(source, shape.count, shape.ranks);
  const Blocks home = Blocks::cut(Buffer::output, shape.count, shape.ranks);
  linear_reduce_scatter(builder, shape.ranks, shape.rank, own, home.of(shape.rank));
  linear_allgather(builder, {shape.ranks, shape.rank}, home);
}

}  // namespace

extern const AlgorithmDescriptor sra_linear = {
    .collective = Collective::allreduce,
    .name = "sra_linear",
    .summary =
        "Everybody sends everybody its share, combines its own in rank order, and sends the result "
        "to everybody (reduce-scatter and allgather in one step each).",
    .way = BySchedule{write, vector_cost<others, 2>},
    .cost_text = "rounds: 2 (p - 1); elements: 2 (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
