#include <algorithm>
#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/block_layout.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

/// One piece of each block. A rank stages those for the others, one after the other; its own
/// operand stays where it is.
class PieceOfBlocks {
 public:
  PieceOfBlocks(StagingBuffer& buffer, const coll::Call& call, const BlockLayout& blocks,
                const Pieces& pieces, std::size_t index)
      : buffer_(buffer), call_(call), blocks_(blocks), pieces_(pieces), index_(index) {
    for (int rank = 0; rank < buffer.ranks(); ++rank) {
      if (rank == buffer.rank()) bytes_before_self_ = all_bytes_;
      all_bytes_ += bytes(rank);
    }
  }

  void stage(std::uint64_t step) {
    std::byte* to = buffer_.open(step, staged_bytes(buffer_.rank()));
    for (int rank = 0; rank < buffer_.ranks(); ++rank) {
      if (rank == buffer_.rank()) continue;
      base::copy_bytes(to, operand_for(rank), bytes(rank));
      to += bytes(rank);
    }
    buffer_.publish(step);
  }

  void combine(std::uint64_t step) {
    const std::size_t count = count_of(buffer_.rank());
    if (count == 0) return;
    std::byte* const into = output_of(call_) + pieces_.offset_bytes(index_);
    base::copy_bytes(into, operand_of(0, step), count * call_.shape.element_bytes);
    for (int rank = 1; rank < buffer_.ranks(); ++rank) {
      call_.op.apply_right(operand_of(rank, step), into, count, call_.op.state);
    }
  }

 private:
  std::size_t count_of(int rank) const { return pieces_.count_of(blocks_.count(rank), index_); }
  std::size_t bytes(int rank) const { return count_of(rank) * call_.shape.element_bytes; }
  std::size_t staged_bytes(int rank) const { return all_bytes_ - bytes(rank); }
  const std::byte* operand_for(int rank) const {
    return input_of(call_) + blocks_.offset_bytes(rank) + pieces_.offset_bytes(index_);
  }
  /// What `rank` gives this rank.
  const std::byte* operand_of(int rank, std::uint64_t step) {
    if (rank == buffer_.rank()) return operand_for(rank);
    const std::size_t offset =
        rank < buffer_.rank() ? bytes_before_self_ - bytes(rank) : bytes_before_self_;
    return buffer_.await(rank, step, staged_bytes(rank)) + offset;
  }

  StagingBuffer& buffer_;
  const coll::Call& call_;
  const BlockLayout& blocks_;
  const Pieces& pieces_;
  std::size_t index_;
  std::size_t all_bytes_ = 0;
  std::size_t bytes_before_self_ = 0;
};

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const auto blocks = BlockLayout::received(call);
  // In bytes of one block, so that those of all ranks make a piece.
  const Pieces pieces(coll::common_count(call.collective, call.shape), call.shape.element_bytes,
                      std::min(piece_bytes, slot_bytes) / static_cast<std::size_t>(buffer.ranks()));
  const std::size_t batch_most = std::min(batch_slots(piece_bytes), pieces.steps());
  const StagingBuffer::Turn turn(buffer, pieces.steps(), call,
                                 std::max(StagingBuffer::usual_lag, batch_most));
  const auto piece = [&](std::size_t i) { return PieceOfBlocks(buffer, call, blocks, pieces, i); };
  for (std::size_t first = 0; first < pieces.steps(); first += batch_most) {
    const std::size_t end = std::min(first + batch_most, pieces.steps());
    for (std::size_t i = first; i < end; ++i) piece(i).stage(turn.first_step() + i);
    for (std::size_t i = first; i < end; ++i) piece(i).combine(turn.first_step() + i);
  }
}

}  // namespace

extern const coll::AlgorithmDescriptor reduce_scatter = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "staged",
    .summary = "All stage their operands; each combines its block of them in rank order.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&staged_batch_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: a copy of its blocks for the others, those for it combined",
    .order = coll::Order::ranks,
};

}  // namespace tasuki::node::staged
