#include <tasuki/detail/coll/algorithm.hpp>

#include <algorithm>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_pipeline.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::reduce {
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
  return reduce_pipeline(shape, false, segments_of(shape, given), [&](int tree_root) {
    const int relative = wrapped(shape.rank - tree_root, shape.ranks);
    const int radix = radix_of(given);
    TreePlace place{knomial_tree(shape.ranks, shape.rank, tree_root, radix),
                    knomial_depth(relative, radix), knomial_height(shape.ranks, radix), 0};
    std::reverse(place.node.children.begin(), place.node.children.end());
    return place;
  });
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  const std::size_t detour = goes_by_rank_zero(shape, false) ? 1 : 0;
  return {as_size(knomial_height(shape.ranks, radix_of(given)) + segments_of(shape, given) - 1) +
              detour,
          (as_size(shape.ranks - 1) + detour) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor knomial = {
    .collective = Collective::reduce,
    .name = "knomial",
    .summary =
        "Up a k-nomial tree, the segments following each other (Open MPI, UCC; binomial is radix "
        "2).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: height of the tree + s - 1 with enough ports; elements: (p - 1) n; s = segments; "
        "one hop more where it goes by way of rank 0",
};

}  // namespace tasuki::coll::reduce
