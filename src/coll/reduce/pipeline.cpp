#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_pipeline.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::reduce {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"segment_bytes", 64 << 10, 0, 1LL << 40,
     "size of the segments that follow each other; 0: the message whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(shape.count, shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
}

Schedule make(const Shape& shape, const Parameters& given) {
  return reduce_pipeline(shape, false, segments_of(shape, given), [&](int tree_root) {
    const int relative = wrapped(shape.rank - tree_root, shape.ranks);
    return TreePlace{chain_tree(shape.ranks, shape.rank, tree_root, 1), relative, shape.ranks - 1,
                     0};
  });
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, 1};
  const std::size_t detour = goes_by_rank_zero(shape, false) ? 1 : 0;
  return {as_size(shape.ranks - 1 + segments_of(shape, given) - 1) + detour,
          (as_size(shape.ranks - 1) + detour) * shape.count, 1};
}

}  // namespace

extern const AlgorithmDescriptor pipeline = {
    .collective = Collective::reduce,
    .name = "pipeline",
    .summary =
        "Up one chain, the segments following each other (see Pjesivac-Grbovic et al. 2007).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: p + s - 2; elements: (p - 1) n; s = segments; one hop more where it goes by way "
        "of rank 0",
};

}  // namespace tasuki::coll::reduce
