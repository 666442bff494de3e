#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/node_memory/algorithms.hpp"
#include "runtime/node_memory/exposure.hpp"
#include "runtime/node_memory/pieces.hpp"

namespace tasuki::runtime::node_memory {
namespace {

/// The elements that a rank combines.
struct Share {
  Share(std::size_t vector_count, int ranks, int rank) {
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t each = (vector_count + p - 1) / p;
    begin = std::min(vector_count, static_cast<std::size_t>(rank) * each);
    count = std::min(vector_count - begin, each);
  }
  std::size_t begin;
  std::size_t count;
};

/// Combines one piece of this rank's share in rank order. Its own operand may lie where the result
/// goes, so the operands of the ranks before it are combined apart.
class PieceCombiner {
 public:
  PieceCombiner(Board& board, const CollectiveCall& call, Exposure& operands,
                std::size_t piece_bytes)
      : board_(board),
        call_(call),
        operands_(operands),
        before_(std::make_unique_for_overwrite<std::byte[]>(piece_bytes)),
        theirs_(std::make_unique_for_overwrite<std::byte[]>(piece_bytes)) {}

  void combine(std::size_t offset_bytes, std::size_t count) {
    const coll::ReduceOp& op = call_.op;
    const std::size_t bytes = count * op.element_bytes;
    std::byte* const into = output_of(call_) + offset_bytes;
    const std::byte* const own = input_of(call_) + offset_bytes;
    if (into != own) std::memcpy(into, own, bytes);
    const int me = board_.rank();
    if (me > 0) {
      operands_.read(0, offset_bytes, {before_.get(), bytes});
      for (int rank = 1; rank < me; ++rank) {
        op.apply_right(read(rank, offset_bytes, bytes), before_.get(), count, op.state);
      }
      op.apply(before_.get(), into, count, op.state);
    }
    for (int rank = me + 1; rank < board_.ranks(); ++rank) {
      op.apply_right(read(rank, offset_bytes, bytes), into, count, op.state);
    }
  }

 private:
  const std::byte* read(int rank, std::size_t offset_bytes, std::size_t bytes) {
    operands_.read(rank, offset_bytes, {theirs_.get(), bytes});
    return theirs_.get();
  }

  Board& board_;
  const CollectiveCall& call_;
  Exposure& operands_;
  std::unique_ptr<std::byte[]> before_;
  std::unique_ptr<std::byte[]> theirs_;
};

}  // namespace

void allreduce_single_copy(Board& board, const CollectiveCall& call, std::size_t piece_bytes) {
  const std::size_t element_bytes = call.shape.element_bytes;
  Exposure memory(board, call.input, call.output, 1, call);
  const Share mine(call.shape.count, board.ranks(), board.rank());
  const Pieces pieces(mine.count, element_bytes, piece_bytes);
  PieceCombiner combiner(board, call, memory, std::max(piece_bytes, element_bytes));
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    combiner.combine(mine.begin * element_bytes + pieces.offset_bytes(i), pieces.count(i));
  }
  // From here on a share's operands are nobody's concern any more: the results may go there.
  memory.sync();
  for (int distance = 1; distance < board.ranks(); ++distance) {
    const int rank = (board.rank() + distance) % board.ranks();
    const Share theirs(call.shape.count, board.ranks(), rank);
    memory.read_second(
        rank, theirs.begin * element_bytes,
        {output_of(call) + theirs.begin * element_bytes, theirs.count * element_bytes});
  }
  memory.end(true);
}

}  // namespace tasuki::runtime::node_memory
