#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/reduce_pipeline.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::reduce {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"chains", 4, 1, 1 << 20, "chains that end at the root"},
    {"segment_bytes", 64 << 10, 0, 1LL << 40,
     "size of the segments that follow each other; 0: the message whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(shape.count, shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
}

int chains_of(const Parameters& given) { return static_cast<int>(given.get("chains")); }

Schedule make(const Shape& shape, const Parameters& given) {
  return reduce_pipeline(shape, false, segments_of(shape, given), [&](int tree_root) {
    const int relative = wrapped(shape.rank - tree_root, shape.ranks);
    const int chains = chains_of(given);
    return TreePlace{chain_tree(shape.ranks, shape.rank, tree_root, chains),
                     chain_depth(shape.ranks, relative, chains), chain_height(shape.ranks, chains),
                     0};
  });
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  const std::size_t detour = goes_by_rank_zero(shape, false) ? 1 : 0;
  return {
      as_size(chain_height(shape.ranks, chains_of(given)) + segments_of(shape, given) - 1) + detour,
      (as_size(shape.ranks - 1) + detour) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor chain = {
    .collective = Collective::reduce,
    .name = "chain",
    .summary =
        "Up several chains, the segments following each other (Open MPI; Pjesivac-Grbovic et al. "
        "2007).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: ceil((p - 1) / c) + s - 1 with enough ports; elements: (p - 1) n; c = chains, s = "
        "segments; one hop more where it goes by way of rank 0",
};

}  // namespace tasuki::coll::reduce
