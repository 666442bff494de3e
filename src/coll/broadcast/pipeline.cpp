#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"
#include "coll/phases/tree_pipeline.hpp"

namespace tasuki::coll::broadcast {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"segment_bytes", 64 << 10, 0, 1LL << 40,
     "size of the segments that follow each other; 0: the message whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(shape.count, shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
}

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const int relative = wrapped(shape.rank - shape.root, shape.ranks);
  const TreePlace place{chain_tree(shape.ranks, shape.rank, shape.root, 1), relative,
                        shape.ranks - 1, 0};
  Timeline timeline;
  pipeline_down(timeline, place, {Buffer::output, 0, shape.count}, segments_of(shape, given));
  timeline.write(builder);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, 1};
  return {as_size(shape.ranks - 1 + segments_of(shape, given) - 1),
          as_size(shape.ranks - 1) * shape.count, 1};
}

}  // namespace

extern const AlgorithmDescriptor pipeline = {
    .collective = Collective::broadcast,
    .name = "pipeline",
    .summary =
        "Down one chain, the segments following each other (see Pjesivac-Grbovic et al. 2007).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: p + s - 2; elements: (p - 1) n; s = segments",
};

}  // namespace tasuki::coll::broadcast
