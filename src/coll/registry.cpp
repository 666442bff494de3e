#include <tasuki/coll/registry.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/base/error.hpp>

#include <algorithm>
#include <iterator>

namespace tasuki::coll {

namespace barrier {
extern const AlgorithmDescriptor linear, double_ring, recursive_doubling, dissemination, tree,
    flag_exchange, flag_tree, flag_tree_multicast, flag_tree_two_level, native;
}
namespace broadcast {
extern const AlgorithmDescriptor linear, chain, pipeline, binary, split_binary, binomial, knomial,
    scatter_allgather, scatter_allgather_ring, staged, single_copy, native;
}
namespace reduce {
extern const AlgorithmDescriptor linear, chain, pipeline, binary, in_order_binary, binomial,
    knomial, rabenseifner, srg_linear, staged, native;
}
namespace allreduce {
extern const AlgorithmDescriptor linear, nonoverlapping, recursive_doubling, ring, segmented_ring,
    rabenseifner, allgather_reduce, recursive_multiplying, sra_linear, sra_knomial,
    double_binary_tree, circulant, bine, staged, staged_halves, single_copy, native;
}
namespace gather {
extern const AlgorithmDescriptor linear, binomial, knomial, linear_sync, staged, single_copy,
    native;
}
namespace gatherv {
extern const AlgorithmDescriptor linear, single_copy;
}
namespace scatter {
extern const AlgorithmDescriptor linear, binomial, knomial, staged, single_copy, native;
}
namespace scatterv {
extern const AlgorithmDescriptor linear, single_copy;
}
namespace allgather {
extern const AlgorithmDescriptor linear, bruck, recursive_doubling, ring, neighbor_exchange,
    sparbit, circulant, two_proc, staged, single_copy, native;
}
namespace allgatherv {
extern const AlgorithmDescriptor linear, bruck, recursive_doubling, ring, neighbor_exchange,
    sparbit, circulant, two_proc, staged, single_copy;
}
namespace alltoall {
extern const AlgorithmDescriptor linear, pairwise, modified_bruck, linear_sync, two_proc, staged,
    single_copy, native;
}
namespace alltoallv {
extern const AlgorithmDescriptor linear, pairwise, scattered, two_phase_bruck, single_copy;
}
namespace reduce_scatter_block {
extern const AlgorithmDescriptor linear, nonoverlapping, recursive_halving, pairwise, ring,
    butterfly, circulant, staged, native;
}
namespace reduce_scatter {
extern const AlgorithmDescriptor linear, nonoverlapping, recursive_halving, pairwise, ring,
    butterfly, circulant, staged;
}
namespace scan {
extern const AlgorithmDescriptor linear, recursive_doubling, hillis_steele, staged, native;
}
namespace exscan {
extern const AlgorithmDescriptor linear, recursive_doubling, doubling_123, staged, native;
}

namespace {

constexpr const AlgorithmDescriptor* algorithms[] = {
    &barrier::linear,
    &barrier::double_ring,
    &barrier::recursive_doubling,
    &barrier::dissemination,
    &barrier::tree,
    &barrier::flag_exchange,
    &barrier::flag_tree,
    &barrier::flag_tree_multicast,
    &barrier::flag_tree_two_level,
    &barrier::native,
    &broadcast::linear,
    &broadcast::chain,
    &broadcast::pipeline,
    &broadcast::binary,
    &broadcast::split_binary,
    &broadcast::binomial,
    &broadcast::knomial,
    &broadcast::scatter_allgather,
    &broadcast::scatter_allgather_ring,
    &broadcast::staged,
    &broadcast::single_copy,
    &broadcast::native,
    &reduce::linear,
    &reduce::chain,
    &reduce::pipeline,
    &reduce::binary,
    &reduce::in_order_binary,
    &reduce::binomial,
    &reduce::knomial,
    &reduce::rabenseifner,
    &reduce::srg_linear,
    &reduce::staged,
    &reduce::native,
    &allreduce::linear,
    &allreduce::nonoverlapping,
    &allreduce::recursive_doubling,
    &allreduce::ring,
    &allreduce::segmented_ring,
    &allreduce::rabenseifner,
    &allreduce::allgather_reduce,
    &allreduce::recursive_multiplying,
    &allreduce::sra_linear,
    &allreduce::sra_knomial,
    &allreduce::double_binary_tree,
    &allreduce::circulant,
    &allreduce::bine,
    &allreduce::staged,
    &allreduce::staged_halves,
    &allreduce::single_copy,
    &allreduce::native,
    &gather::linear,
    &gather::binomial,
    &gather::knomial,
    &gather::linear_sync,
    &gather::staged,
    &gather::single_copy,
    &gather::native,
    &gatherv::linear,
    &gatherv::single_copy,
    &scatter::linear,
    &scatter::binomial,
    &scatter::knomial,
    &scatter::staged,
    &scatter::single_copy,
    &scatter::native,
    &scatterv::linear,
    &scatterv::single_copy,
    &allgather::linear,
    &allgather::bruck,
    &allgather::recursive_doubling,
    &allgather::ring,
    &allgather::neighbor_exchange,
    &allgather::sparbit,
    &allgather::circulant,
    &allgather::two_proc,
    &allgather::staged,
    &allgather::single_copy,
    &allgather::native,
    &allgatherv::linear,
    &allgatherv::bruck,
    &allgatherv::recursive_doubling,
    &allgatherv::ring,
    &allgatherv::neighbor_exchange,
    &allgatherv::sparbit,
    &allgatherv::circulant,
    &allgatherv::two_proc,
    &allgatherv::staged,
    &allgatherv::single_copy,
    &alltoall::linear,
    &alltoall::pairwise,
    &alltoall::modified_bruck,
    &alltoall::linear_sync,
    &alltoall::two_proc,
    &alltoall::staged,
    &alltoall::single_copy,
    &alltoall::native,
    &alltoallv::linear,
    &alltoallv::pairwise,
    &alltoallv::scattered,
    &alltoallv::two_phase_bruck,
    &alltoallv::single_copy,
    &reduce_scatter_block::linear,
    &reduce_scatter_block::nonoverlapping,
    &reduce_scatter_block::recursive_halving,
    &reduce_scatter_block::pairwise,
    &reduce_scatter_block::ring,
    &reduce_scatter_block::butterfly,
    &reduce_scatter_block::circulant,
    &reduce_scatter_block::staged,
    &reduce_scatter_block::native,
    &reduce_scatter::linear,
    &reduce_scatter::nonoverlapping,
    &reduce_scatter::recursive_halving,
    &reduce_scatter::pairwise,
    &reduce_scatter::ring,
    &reduce_scatter::butterfly,
    &reduce_scatter::circulant,
    &reduce_scatter::staged,
    &scan::linear,
    &scan::recursive_doubling,
    &scan::hillis_steele,
    &scan::staged,
    &scan::native,
    &exscan::linear,
    &exscan::recursive_doubling,
    &exscan::doubling_123,
    &exscan::staged,
    &exscan::native,
};

}  // namespace

std::span<const AlgorithmDescriptor* const> all_algorithms() noexcept { return algorithms; }

std::vector<const AlgorithmDescriptor*> algorithms_on(Medium medium) {
  std::vector<const AlgorithmDescriptor*> found;
  std::copy_if(std::begin(algorithms), std::end(algorithms), std::back_inserter(found),
               [&](const AlgorithmDescriptor* algorithm) { return algorithm->medium == medium; });
  return found;
}

std::vector<const AlgorithmDescriptor*> algorithms_of(Collective collective) {
  std::vector<const AlgorithmDescriptor*> found;
  std::copy_if(
      std::begin(algorithms), std::end(algorithms), std::back_inserter(found),
      [&](const AlgorithmDescriptor* algorithm) { return algorithm->collective == collective; });
  return found;
}

const AlgorithmDescriptor& algorithm_named(Collective collective, std::string_view name) {
  std::vector<std::string_view> known;
  for (const AlgorithmDescriptor* algorithm : algorithms_of(collective)) {
    if (name == algorithm->name) return *algorithm;
    known.emplace_back(algorithm->name);
  }
  throw error(fmt::format("choosing an algorithm for {}", name_of(collective)),
              fmt::format("there is none called '{}'", name),
              fmt::format("use one of {}", fmt::join(known, ", ")));
}

}  // namespace tasuki::coll
