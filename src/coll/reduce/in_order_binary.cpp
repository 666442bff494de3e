#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_pipeline.hpp"
#include "coll/phases/tree_phases.hpp"

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
    const InOrderNode place = in_order_tree(shape.ranks, shape.rank, tree_root);
    return TreePlace{place.node, place.depth, in_order_height(shape.ranks, tree_root),
                     place.lower_count};
  });
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  const std::size_t detour = goes_by_rank_zero(shape, true) ? 1 : 0;
  return {
      as_size(in_order_height(shape.ranks, shape.root) + segments_of(shape, given) - 1) + detour,
      (as_size(shape.ranks - 1) + detour) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor in_order_binary = {
    .collective = Collective::reduce,
    .name = "in_order_binary",
    .summary =
        "Up a binary tree whose subtrees are ranges of ranks, so that operators need not commute, "
        "for any root (after Open MPI).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: 1 + floor(log2 of the larger side of the root) + s - 1 with enough ports; "
        "elements: (p - 1) n; s = segments",
};

}  // namespace tasuki::coll::reduce
