#include "coll/phases/linear_phases.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::broadcast {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  linear_broadcast(builder, shape.ranks, shape.rank, shape.root, {Buffer::output, 0, shape.count});
}

}  // namespace

extern const AlgorithmDescriptor linear = {
    .collective = Collective::broadcast,
    .name = "linear",
    .summary = "The root sends to everybody.",
    .way = BySchedule{write, vector_cost<others>},
    .cost_text = "rounds: p - 1; elements: (p - 1) n",
};

}  // namespace tasuki::coll::broadcast
