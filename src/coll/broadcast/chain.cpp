#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"
#include "coll/phases/tree_pipeline.hpp"

namespace tasuki::coll::broadcast {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"chains", 4, 1, 1 << 20, "chains that the root feeds"},
    {"segment_bytes", 64 << 10, 0, 1LL << 40,
     "size of the segments that follow each other; 0: the message whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(shape.count, shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
}

int chains_of(const Parameters& given) { return static_cast<int>(given.get("chains")); }

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const int relative = wrapped(shape.rank - shape.root, shape.ranks);
  const int chains = chains_of(given);
  const TreePlace place{chain_tree(shape.ranks, shape.rank, shape.root, chains),
                        chain_depth(shape.ranks, relative, chains),
                        chain_height(shape.ranks, chains), 0};
  Timeline timeline;
  pipeline_down(timeline, place, {Buffer::output, 0, shape.count}, segments_of(shape, given));
  timeline.write(builder);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  return {as_size(chain_height(shape.ranks, chains_of(given)) + segments_of(shape, given) - 1),
          as_size(shape.ranks - 1) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor chain = {
    .collective = Collective::broadcast,
    .name = "chain",
    .summary =
        "Down several chains, the segments following each other (Open MPI; Pjesivac-Grbovic et al. "
        "2007).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: ceil((p - 1) / c) + s - 1 with enough ports; elements: (p - 1) n; c = chains, s = "
        "segments",
};

}  // namespace tasuki::coll::broadcast
