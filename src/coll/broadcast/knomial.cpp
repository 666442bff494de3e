#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"
#include "coll/phases/tree_pipeline.hpp"

namespace tasuki::coll::broadcast {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"radix", 4, 2, 64, "a rank has up to radix - 1 children per digit of its number"},
    {"segment_bytes", 0, 0, 1LL << 40,
     "size of the segments that follow each other; 0: the message whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(shape.count, shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
}

int radix_of(const Parameters& given) { return static_cast<int>(given.get("radix")); }

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const int relative = wrapped(shape.rank - shape.root, shape.ranks);
  const int radix = radix_of(given);
  const TreePlace place{knomial_tree(shape.ranks, shape.rank, shape.root, radix),
                        knomial_depth(relative, radix), knomial_height(shape.ranks, radix), 0};
  Timeline timeline;
  pipeline_down(timeline, place, {Buffer::output, 0, shape.count}, segments_of(shape, given));
  timeline.write(builder);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  return {as_size(knomial_height(shape.ranks, radix_of(given)) + segments_of(shape, given) - 1),
          as_size(shape.ranks - 1) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor knomial = {
    .collective = Collective::broadcast,
    .name = "knomial",
    .summary =
        "Down a k-nomial tree, the segments following each other (Open MPI, UCC; binomial is radix "
        "2).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: height of the tree + s - 1 with enough ports; elements: (p - 1) n; s = segments",
};

}  // namespace tasuki::coll::broadcast
