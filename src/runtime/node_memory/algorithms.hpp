// The one list of the collectives of one node: for each algorithm of the registry whose medium is
// memory, the function that carries it out.
//
// Each is called by all ranks, blocks its fiber and takes its turn on the board; `piece_bytes` is
// the algorithm's parameter. Requires: applicable; the call was checked; some rank has elements, as
// far as all know.
// Thread-safety: constant data.
#pragma once

#include <cstddef>
#include <tasuki/coll/algorithm.hpp>
#include <tasuki/runtime/collectives.hpp>

#include "runtime/node_memory/board.hpp"

namespace tasuki::runtime::node_memory {

using Function = void (*)(Board& board, const CollectiveCall& call, std::size_t piece_bytes);

/// Requires: algorithm.medium is memory; not one of barrier (those: FlagBarrier::way_of).
Function function_of(const coll::AlgorithmDescriptor& algorithm);

/// allreduce_staged for one element in place. Requires: it fits Board::line_data_bytes.
void allreduce_element(Board& board, std::byte* in_out, const coll::ReduceOp& op);

void broadcast_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void reduce_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void allreduce_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void allreduce_staged_halves(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void gather_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void scatter_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void allgather_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void alltoall_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void reduce_scatter_block_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void scan_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void exscan_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void broadcast_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void gather_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void scatter_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void allgather_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void alltoall_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void allreduce_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void gatherv_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void scatterv_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void allgatherv_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void allgatherv_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void alltoallv_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes);
void reduce_scatter_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes);

}  // namespace tasuki::runtime::node_memory
