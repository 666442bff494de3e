#include "coll/phases/tree_pipeline.hpp"

namespace tasuki::coll {
namespace {

constexpr ParameterDeclaration pipeline_parameters[] = {segment_bytes(64 << 10)};
constexpr ParameterDeclaration chain_parameters[] = {
    {"chains", 4, 1, 1 << 20, "chains that begin or end at the root"}, segment_bytes(64 << 10)};

TreeNode one_chain(const Shape& shape, int root, const Parameters&) {
  return chain_tree(shape.ranks, shape.rank, root, 1);
}

TreeNode several_chains(const Shape& shape, int root, const Parameters& given) {
  return chain_tree(shape.ranks, shape.rank, root, static_cast<int>(given.get("chains")));
}

}  // namespace

namespace broadcast {

extern const AlgorithmDescriptor chain = {
    .collective = Collective::broadcast,
    .name = "chain",
    .summary =
        "Down several chains, the segments following each other (Open MPI; Pjesivac-Grbovic et al. "
        "2007).",
    .parameters = chain_parameters,
    .way = broadcast_along<several_chains>,
    .cost_text =
        "rounds: ceil((p - 1) / c) + s - 1 with enough ports; elements: (p - 1) n; c = chains, s = "
        "segments",
};

extern const AlgorithmDescriptor pipeline = {
    .collective = Collective::broadcast,
    .name = "pipeline",
    .summary =
        "Down one chain, the segments following each other (see Pjesivac-Grbovic et al. 2007).",
    .parameters = pipeline_parameters,
    .way = broadcast_along<one_chain, 1>,
    .cost_text = "rounds: p + s - 2; elements: (p - 1) n; s = segments",
};

}  // namespace broadcast

namespace reduce {

extern const AlgorithmDescriptor chain = {
    .collective = Collective::reduce,
    .name = "chain",
    .summary =
        "Up several chains, the segments following each other (Open MPI; Pjesivac-Grbovic et al. "
        "2007).",
    .parameters = chain_parameters,
    .way = reduce_along<several_chains>,
    .cost_text =
        "rounds: ceil((p - 1) / c) + s - 1 with enough ports; elements: (p - 1) n; c = chains, s = "
        "segments; one hop more where it goes by way of rank 0",
};

extern const AlgorithmDescriptor pipeline = {
    .collective = Collective::reduce,
    .name = "pipeline",
    .summary =
        "Up one chain, the segments following each other (see Pjesivac-Grbovic et al. 2007).",
    .parameters = pipeline_parameters,
    .way = reduce_along<one_chain, 1>,
    .cost_text =
        "rounds: p + s - 2; elements: (p - 1) n; s = segments; one hop more where it goes by way "
        "of rank 0",
};

}  // namespace reduce

}  // namespace tasuki::coll
