#include "runtime/node_memory/algorithms.hpp"

#include <string_view>
#include <tasuki/base/assert.hpp>

namespace tasuki::runtime::node_memory {
namespace {

struct Entry {
  coll::Collective collective;
  std::string_view name;
  Function function;
};

using enum coll::Collective;
constexpr Entry entries[] = {
    {broadcast, "staged", broadcast_staged},
    {reduce, "staged", reduce_staged},
    {allreduce, "staged", allreduce_staged},
    {allreduce, "staged_halves", allreduce_staged_halves},
    {gather, "staged", gather_staged},
    {scatter, "staged", scatter_staged},
    {allgather, "staged", allgather_staged},
    {alltoall, "staged", alltoall_staged},
    {reduce_scatter_block, "staged", reduce_scatter_block_staged},
    {scan, "staged", scan_staged},
    {exscan, "staged", exscan_staged},
    {broadcast, "single_copy", broadcast_single_copy},
    {gather, "single_copy", gather_single_copy},
    {scatter, "single_copy", scatter_single_copy},
    {allgather, "single_copy", allgather_single_copy},
    {alltoall, "single_copy", alltoall_single_copy},
    {allreduce, "single_copy", allreduce_single_copy},
    {gatherv, "single_copy", gatherv_single_copy},
    {scatterv, "single_copy", scatterv_single_copy},
    {allgatherv, "staged", allgatherv_staged},
    {allgatherv, "single_copy", allgatherv_single_copy},
    {alltoallv, "single_copy", alltoallv_single_copy},
    {reduce_scatter, "staged", reduce_scatter_staged},
};

}  // namespace

Function function_of(const coll::AlgorithmDescriptor& algorithm) {
  for (const Entry& entry : entries) {
    if (entry.collective == algorithm.collective && entry.name == algorithm.name) {
      return entry.function;
    }
  }
  TASUKI_ASSERT(!"every algorithm on shared memory is in the list");
  return nullptr;
}

}  // namespace tasuki::runtime::node_memory
