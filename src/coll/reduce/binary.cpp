#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_pipeline.hpp"
#include "coll/phases/tree_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"segment_bytes", 32 << 10, 0, 1LL << 40,
     "size of the segments that follow each other; 0: the message whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(shape.count, shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
}

Schedule make(const Shape& shape, const Parameters& given) {
  return reduce_pipeline(shape, true, segments_of(shape, given), [&](int tree_root) {
    const int relative = wrapped(shape.rank - tree_root, shape.ranks);
    return TreePlace{kary_tree(shape.ranks, shape.rank, tree_root, 2), kary_depth(relative, 2),
                     kary_height(shape.ranks, 2), 0};
  });
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  const std::size_t detour = goes_by_rank_zero(shape, true) ? 1 : 0;
  return {as_size(kary_height(shape.ranks, 2) + segments_of(shape, given) - 1) + detour,
          (as_size(shape.ranks - 1) + detour) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor binary = {
    .collective = Collective::reduce,
    .name = "binary",
    .summary =
        "Up a complete binary tree, the segments following each other (see Pjesivac-Grbovic et al. "
        "2007).",
    .not_applicable_because = needs_commutative,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: floor(log2 p) + s - 1 with enough ports; elements: (p - 1) n; s = segments",
};

}  // namespace tasuki::coll::reduce
