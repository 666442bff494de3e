#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/exposure.hpp"
#include "runtime/node_memory/others.hpp"
#include "runtime/node_memory/pieces.hpp"
#include "runtime/node_memory/uneven_layout.hpp"

namespace tasuki::runtime::node_memory {
namespace {

/// Of a broadcast: below, a copy is over before both know where to copy.
constexpr std::size_t root_share_least_bytes = 65536;

std::size_t block_bytes(const CollectiveCall& call) {
  return call.shape.count * call.shape.element_bytes;
}

/// Block `index` of a buffer that has one for each rank.
std::span<std::byte> block_of(const CollectiveCall& call, std::byte* blocks, int index) {
  return {blocks + static_cast<std::size_t>(index) * block_bytes(call), block_bytes(call)};
}

}  // namespace

/// The root copies the end of the vector for each of the others, so that all cores have as much to
/// do. Where ranks share cores it would only wait for them. All go by what the root says.
void broadcast_single_copy(Board& board, const CollectiveCall& call, std::size_t) {
  const std::size_t bytes = block_bytes(call);
  const auto ranks = static_cast<std::size_t>(board.ranks());
  const int root = call.shape.root;
  std::byte* const vector = output_of(call);
  const bool has_core = !board.world().transport().capabilities().shares_cores;
  const std::size_t by_root = has_core && bytes >= root_share_least_bytes ? bytes / ranks : 0;
  Exposure data(board, vector, by_root, call);
  if (board.rank() == root) {
    const std::size_t begin = bytes - by_root;
    for_each_other(board, [&](int rank) { data.write(rank, begin, {vector + begin, by_root}); });
    data.end(true);
  } else {
    data.read(root, 0, {vector, bytes - data.number_of(root)});
    data.end_with(root);
  }
}

void gather_single_copy(Board& board, const CollectiveCall& call, std::size_t) {
  Exposure blocks(board, call.input, nullptr, 0, call);
  if (board.rank() == call.shape.root) {
    for_each_other(board,
                   [&](int rank) { blocks.read(rank, 0, block_of(call, output_of(call), rank)); });
    copy_own(block_of(call, output_of(call), board.rank()), input_of(call));
  }
  blocks.end(true);
}

void scatter_single_copy(Board& board, const CollectiveCall& call, std::size_t) {
  Exposure blocks(board, call.input, nullptr, 0, call);
  const std::size_t own_offset = static_cast<std::size_t>(board.rank()) * block_bytes(call);
  const std::span<std::byte> into{output_of(call), block_bytes(call)};
  const bool is_root = board.rank() == call.shape.root;
  if (is_root) {
    copy_own(into, input_of(call) + own_offset);
  } else {
    blocks.read(call.shape.root, own_offset, into);
  }
  blocks.end(is_root);
}

void allgather_single_copy(Board& board, const CollectiveCall& call, std::size_t) {
  Exposure blocks(board, call.input, nullptr, 0, call);
  copy_own(block_of(call, output_of(call), board.rank()), input_of(call));
  for_each_other(board,
                 [&](int rank) { blocks.read(rank, 0, block_of(call, output_of(call), rank)); });
  blocks.end(true);
}

void allgatherv_single_copy(Board& board, const CollectiveCall& call, std::size_t) {
  Exposure blocks(board, call.input, nullptr, 0, call);
  const auto layout = UnevenLayout::received(call);
  const auto place_of = [&](int rank) {
    return std::span{output_of(call) + layout.offset_bytes(rank), layout.bytes(rank)};
  };
  copy_own(place_of(board.rank()), input_of(call));
  for_each_other(board, [&](int rank) { blocks.read(rank, 0, place_of(rank)); });
  blocks.end(true);
}

void alltoall_single_copy(Board& board, const CollectiveCall& call, std::size_t) {
  Exposure blocks(board, call.input, nullptr, 0, call);
  const std::size_t own_offset = static_cast<std::size_t>(board.rank()) * block_bytes(call);
  copy_own(block_of(call, output_of(call), board.rank()), input_of(call) + own_offset);
  for_each_other(board, [&](int rank) {
    blocks.read(rank, own_offset, block_of(call, output_of(call), rank));
  });
  blocks.end(true);
}

}  // namespace tasuki::runtime::node_memory
