#include "coll/patterns/double_tree.hpp"
#include "coll/patterns/partition.hpp"
#include "coll/phases/tree_pipeline.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration parameters[] = {segment_bytes(
    64 << 10, "size of the segments that follow each other along a tree; 0: halves whole")};

int half_segments(const Shape& shape, const Parameters& given) {
  return segments_of(ceil_div(shape.count, 2), shape, given);
}

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  if (shape.ranks == 1) {
    if (!shape.in_place) {
      builder.copy({Buffer::input, 0, shape.count}, {Buffer::output, 0, shape.count});
    }
    return;
  }
  const int segments = half_segments(shape, given);
  const Partition halves(shape.count, 2);
  Timeline timeline;
  for (const int half : {0, 1}) {
    const Slice home{Buffer::output, halves.offset(half), halves.count(half)};
    const Slice own{shape.in_place ? Buffer::output : Buffer::input, home.offset, home.count};
    const TreeNode node = double_tree(shape.ranks, shape.rank, half == 1);
    pipeline_up(builder, timeline, node, own, home, shape.in_place, segments);
    pipeline_down(timeline, node, home, segments, node.height);
  }
  timeline.write(builder);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  return {as_size(2 * ceil_log(shape.ranks) + half_segments(shape, given) - 1),
          2 * as_size(shape.ranks - 1) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor double_binary_tree = {
    .collective = Collective::allreduce,
    .name = "double_binary_tree",
    .summary =
        "Each half of the vector is reduced up and broadcast down its own binary tree, in segments "
        "(Sanders, Speck and Traff 2009).",
    .not_applicable_because = needs_commutative,
    .parameters = parameters,
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: 2 ceil(log2 p) + s - 1 with enough ports; elements: 2 (p - 1) n; s = segments of "
        "a half",
};

}  // namespace tasuki::coll::allreduce
