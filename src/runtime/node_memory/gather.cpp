#include <tasuki/base/copy_bytes.hpp>

#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/pieces.hpp"
#include "runtime/node_memory/uneven_layout.hpp"

namespace tasuki::runtime::node_memory {
namespace {

struct Place {
  std::size_t offset_bytes;  ///< In the buffer of all blocks.
  std::size_t count;
};

/// All put their blocks up; those that are told to `take` copy everybody's. `place_of(rank)` is
/// that of its block, `longest_count` the elements of the longest.
template <class PlaceOf>
void put_up_and_take(Board& board, const CollectiveCall& call, std::size_t piece_bytes,
                     std::size_t longest_count, PlaceOf place_of, bool take) {
  const Pieces pieces(longest_count, call.shape.element_bytes, piece_bytes);
  const std::size_t steps_count = pieces.steps();
  const Board::Turn turn(board, steps_count, call);
  const std::size_t own_count = place_of(board.rank()).count;
  const auto put_up = [&](std::size_t i) {
    board.put_up(turn.first_step() + i, input_of(call) + pieces.offset_bytes(i),
                 pieces.count_of(own_count, i) * call.shape.element_bytes);
  };
  put_up(0);
  for (std::size_t i = 0; i < steps_count; ++i) {
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) put_up(i + 1);
    for (int rank = 0; take && rank < board.ranks(); ++rank) {
      const Place place = place_of(rank);
      const std::size_t bytes = pieces.count_of(place.count, i) * call.shape.element_bytes;
      std::byte* const into = output_of(call) + place.offset_bytes + pieces.offset_bytes(i);
      if (rank == board.rank()) {
        copy_own({into, bytes}, input_of(call) + pieces.offset_bytes(i));
      } else {
        base::copy_bytes(into, board.await(rank, turn.first_step() + i, bytes), bytes);
      }
    }
  }
}

/// The same of blocks that are equal.
void put_up_and_take(Board& board, const CollectiveCall& call, std::size_t piece_bytes, bool take) {
  const std::size_t count = call.shape.count;
  const std::size_t block_bytes = count * call.shape.element_bytes;
  const auto place_of = [=](int rank) {
    return Place{static_cast<std::size_t>(rank) * block_bytes, count};
  };
  put_up_and_take(board, call, piece_bytes, count, place_of, take);
}

}  // namespace

void gather_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  put_up_and_take(board, call, piece_bytes, board.rank() == call.shape.root);
}

void allgather_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  put_up_and_take(board, call, piece_bytes, true);
}

void allgatherv_staged(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const auto layout = UnevenLayout::received(call);
  const auto place_of = [&](int rank) {
    return Place{layout.offset_bytes(rank), layout.count(rank)};
  };
  const std::size_t longest_count = *coll::common_count(call.collective, call.shape);
  put_up_and_take(board, call, piece_bytes, longest_count, place_of, true);
}

}  // namespace tasuki::runtime::node_memory
