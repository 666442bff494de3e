#include "coll/levels/levels.hpp"

namespace tasuki::coll::allreduce {
namespace {

void compose(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_leaders(shape, Leader::first);
  const Slice output{Buffer::output, 0, shape.count};
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  whole.part(levels.node, {Collective::reduce, shape.count, levels.leader_place, shape.in_place},
             input, output);
  whole.part(levels.across, {Collective::allreduce, shape.count, 0, true}, output, output);
  whole.part(levels.node, {Collective::broadcast, shape.count, levels.leader_place}, {}, output);
}

void compose_lanes(Composition& whole, const Shape& shape) {
  const Levels levels = Levels::with_lanes(shape);
  const Slice output{Buffer::output, 0, shape.count};
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const Partition lanes(shape.count, levels.node.size());
  const Slice lane = output.part(lanes.offset(levels.node.place), lanes.count(levels.node.place));
  const std::vector<std::size_t> counts = counts_of(lanes, levels.node.size());

  // Others still read this rank's input while its share of the result is made.
  const Slice sum = shape.in_place ? whole.scratch(lane.count) : lane;
  whole.part(levels.node, {Collective::reduce_scatter, 0, 0, false, counts}, input, sum);
  if (shape.in_place) whole.copy(sum, lane);
  whole.part(levels.across, {Collective::allreduce, lane.count, 0, true}, lane, lane);
  whole.part(levels.node, {Collective::allgatherv, 0, 0, false, counts}, lane, output);
}

}  // namespace

extern const AlgorithmDescriptor two_level = {
    .collective = Collective::allreduce,
    .name = "two_level",
    .summary =
        "Combined on each node, then among one rank of each node, which passes the result on "
        "(Kielmann et al. 1999).",
    .not_applicable_because = needs_nodes_in_rank_order,
    .way = BySchedule{write_composed<compose>, composed_cost<compose>},
    .cost_text = "that of a reduce and a broadcast within a node, and an allreduce between nodes",
};

extern const AlgorithmDescriptor two_level_lanes = {
    .collective = Collective::allreduce,
    .name = "two_level_lanes",
    .summary =
        "Reduce-scatter on each node, allreduces between the nodes by all ranks at once, allgather "
        "on each node (full-lane allreduce, Traff and Hunold 2020).",
    .not_applicable_because = needs_level_nodes_in_rank_order,
    .way = BySchedule{write_composed<compose_lanes>, composed_cost<compose_lanes>},
    .cost_text =
        "that of a reduce-scatter and an allgather within a node, and an allreduce of n / r "
        "between nodes; r = ranks of a node",
};

}  // namespace tasuki::coll::allreduce
