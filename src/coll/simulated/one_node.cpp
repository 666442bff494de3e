// For the ranks of one node, by messages.
//
// Made by: python tools/simulated_rows.py build/release/bin/tasuki_explain one_node
#include "coll/simulated/rows.hpp"

namespace tasuki::coll::simulated {
namespace {

using enum Collective;

constexpr Row rows[] = {
    // nodes, ranks per node and bytes: up to so many
    {barrier, any, any, any, "dissemination"},
    {broadcast, any, any, 2048, "knomial"},
    {broadcast, any, any, 16384, "split_binary"},
    {broadcast, any, any, 524288, "scatter_allgather_ring"},
    {broadcast, any, any, any, "pipeline"},
    {reduce, any, 16, 256, "knomial"},
    {reduce, any, 16, 1024, "binomial"},
    {reduce, any, 16, any, "srg_linear"},
    {reduce, any, 24, 2048, "binomial"},
    {reduce, any, 24, any, "srg_linear"},
    {reduce, any, any, 64, "knomial"},
    {reduce, any, any, 1024, "binomial"},
    {reduce, any, any, any, "rabenseifner"},
    {allreduce, any, 12, 1024, "recursive_doubling"},
    {allreduce, any, 12, any, "sra_linear"},
    {allreduce, any, 48, 256, "recursive_multiplying"},
    {allreduce, any, 48, 8192, "sra_knomial"},
    {allreduce, any, 48, any, "sra_linear"},
    {allreduce, any, any, 64, "recursive_multiplying"},
    {allreduce, any, any, any, "sra_knomial"},
    {gather, any, any, 256, "knomial"},
    {gather, any, any, any, "linear"},
    {scatter, any, any, any, "knomial"},
    {allgather, any, 24, 64, "bruck"},
    {allgather, any, 24, any, "linear"},
    {allgather, any, 32, any, "recursive_doubling"},
    {allgather, any, 48, 64, "bruck"},
    {allgather, any, 48, any, "linear"},
    {allgather, any, 64, any, "recursive_doubling"},
    {allgather, any, any, 4, "bruck"},
    {allgather, any, any, any, "linear"},
    {allgatherv, any, 24, 64, "bruck"},
    {allgatherv, any, 24, any, "linear"},
    {allgatherv, any, 32, any, "recursive_doubling"},
    {allgatherv, any, 48, 64, "bruck"},
    {allgatherv, any, 48, any, "linear"},
    {allgatherv, any, 64, any, "recursive_doubling"},
    {allgatherv, any, any, 4, "bruck"},
    {allgatherv, any, any, any, "linear"},
    {alltoall, any, any, 4, "modified_bruck"},
    {alltoall, any, any, any, "linear"},
    {reduce_scatter_block, any, any, 64, "recursive_halving"},
    {reduce_scatter_block, any, any, any, "linear"},
    {reduce_scatter, any, any, 64, "recursive_halving"},
    {reduce_scatter, any, any, any, "linear"},
    {scan, any, any, any, "hillis_steele"},
    {exscan, any, any, any, "doubling_123"},
};

}  // namespace

std::span<const Row> one_node_rows() { return rows; }

}  // namespace tasuki::coll::simulated
