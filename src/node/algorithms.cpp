#include <tasuki/detail/node/algorithms.hpp>

#include <vector>

namespace tasuki::node {

// Made by CMake from the list of this layer.
std::span<const coll::AlgorithmDescriptor* const> own_algorithms() noexcept;

namespace {

/// Without messages, for ranks of one node. Where staging ends and single copies begin was
/// measured at 2, 3, 4 and 8 ranks on 2 cores, all algorithms at all sizes in turn
/// (docs/design/collectives-in-memory.md).
std::vector<coll::PolicyRow> rows() {
  using enum coll::Collective;
  using coll::any_bytes;
  using coll::any_ranks;
  static const char* const staged = "no messages";
  static const char* const one_copy = "one copy instead of two";
  static const char* const many_readers = "one copy in the staging buffer serves all readers";
  return {
      {barrier, any_ranks, any_bytes, "flag_exchange", "", "one phase"},
      {broadcast, 2, 16384, "staged", "", staged},
      {broadcast, 2, any_bytes, "single_copy", "", one_copy},
      {broadcast, any_ranks, any_bytes, "staged", "", many_readers},
      {reduce, any_ranks, any_bytes, "staged", "", staged},
      {allreduce, 2, 131072, "staged", "", staged},
      {allreduce, 2, any_bytes, "single_copy", "", one_copy},
      {allreduce, any_ranks, 8192, "staged", "", staged},
      {allreduce, any_ranks, any_bytes, "staged_halves", "", "each combines only its share"},
      {allreduce, any_ranks, any_bytes, "staged", "", staged},
      {gather, any_ranks, 24576, "staged", "", staged},
      {gather, any_ranks, any_bytes, "single_copy", "", one_copy},
      {gather, any_ranks, any_bytes, "staged", "", staged},
      {gatherv, any_ranks, any_bytes, "single_copy", "", one_copy},
      {scatter, 2, 4096, "staged", "", staged},
      {scatter, 2, any_bytes, "single_copy", "", one_copy},
      {scatter, any_ranks, 16384, "staged", "", staged},
      {scatter, any_ranks, any_bytes, "single_copy", "", one_copy},
      {scatter, any_ranks, any_bytes, "staged", "", staged},
      {scatterv, any_ranks, any_bytes, "single_copy", "", one_copy},
      {allgather, 2, 8192, "staged", "", staged},
      {allgather, 2, any_bytes, "single_copy", "", one_copy},
      {allgather, any_ranks, any_bytes, "staged", "", many_readers},
      {allgatherv, 2, 8192, "staged", "", staged},
      {allgatherv, 2, any_bytes, "single_copy", "", one_copy},
      {allgatherv, any_ranks, any_bytes, "staged", "", many_readers},
      {alltoall, 2, 8192, "staged", "", staged},
      {alltoall, 2, any_bytes, "single_copy", "", one_copy},
      {alltoall, any_ranks, 32768, "staged", "", staged},
      {alltoall, any_ranks, any_bytes, "single_copy", "", one_copy},
      {alltoall, any_ranks, any_bytes, "staged", "", staged},
      {alltoallv, any_ranks, any_bytes, "single_copy", "", one_copy},
      {reduce_scatter_block, any_ranks, any_bytes, "staged", "", staged},
      {reduce_scatter, any_ranks, any_bytes, "staged", "", staged},
      {scan, any_ranks, any_bytes, "staged", "", staged},
      {exscan, any_ranks, any_bytes, "staged", "", staged},
  };
}

}  // namespace

void register_algorithms() { coll::add_algorithms({own_algorithms(), rows}); }

}  // namespace tasuki::node
