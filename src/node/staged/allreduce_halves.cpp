#include <algorithm>
#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/rank_order.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

/// What a rank does with a piece, at most one slot: it stages its operand, combines its share of
/// all operands, and collects the shares that the others combined.
class Piece {
 public:
  Piece(StagingBuffer& buffer, const coll::Call& call, std::size_t offset_bytes, std::size_t count)
      : buffer_(buffer),
        op_(call.op),
        input_(input_of(call) + offset_bytes),
        output_(output_of(call) + offset_bytes),
        count_(count),
        share_count_((count + ranks() - 1) / ranks()) {}

  void stage_operand(std::uint64_t step) const { buffer_.stage(step, input_, bytes_of(count_)); }

  void combine_share(std::uint64_t operands_step, std::uint64_t results_step) const {
    const auto self = static_cast<std::size_t>(buffer_.rank());
    const std::size_t count = share_count(self);
    std::byte* const share = buffer_.open(results_step, bytes_of(count));
    if (count != 0) {
      combine_in_rank_order(buffer_, operands_step, bytes_of(count_), bytes_of(share_begin(self)),
                            count, buffer_.ranks(), op_, share);
    }
    buffer_.publish(results_step);
  }

  void collect_shares(std::uint64_t results_step) const {
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      const std::size_t bytes = bytes_of(share_count(rank));
      base::copy_bytes(output_ + bytes_of(share_begin(rank)),
                       buffer_.await(static_cast<int>(rank), results_step, bytes), bytes);
    }
  }

 private:
  std::size_t ranks() const noexcept { return static_cast<std::size_t>(buffer_.ranks()); }
  std::size_t bytes_of(std::size_t count) const noexcept { return count * op_.element_bytes; }
  std::size_t share_begin(std::size_t rank) const noexcept {
    return std::min(rank * share_count_, count_);
  }
  std::size_t share_count(std::size_t rank) const noexcept {
    return share_begin(rank + 1) - share_begin(rank);
  }

  StagingBuffer& buffer_;
  const coll::ReduceOp& op_;
  const std::byte* input_;
  std::byte* output_;
  std::size_t count_;
  std::size_t share_count_;  ///< Of each rank but perhaps the last ones.
};

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const Pieces pieces(call.shape.count, call.shape.element_bytes,
                      std::min(piece_bytes, slot_bytes));
  static_assert(staged_batch_bytes.maximum == StagingBuffer::most_lag * slot_bytes);
  const std::size_t batch_most = std::min(batch_slots(piece_bytes), pieces.steps());
  const StagingBuffer::Turn turn(buffer, 2 * pieces.steps(), call,
                                 std::max(StagingBuffer::usual_lag, batch_most));
  for (std::size_t first = 0; first < pieces.steps(); first += batch_most) {
    const std::size_t batch = std::min(batch_most, pieces.steps() - first);
    const std::uint64_t operands_step = turn.first_step() + 2 * first;
    const std::uint64_t results_step = operands_step + batch;
    const auto piece = [&](std::size_t i) {
      return Piece(buffer, call, pieces.offset_bytes(first + i), pieces.count(first + i));
    };
    for (std::size_t i = 0; i < batch; ++i) piece(i).stage_operand(operands_step + i);
    for (std::size_t i = 0; i < batch; ++i) {
      piece(i).combine_share(operands_step + i, results_step + i);
    }
    for (std::size_t i = 0; i < batch; ++i) piece(i).collect_shares(results_step + i);
  }
}

}  // namespace

extern const coll::AlgorithmDescriptor allreduce_halves = {
    .collective = Collective::allreduce,
    .name = "staged_halves",
    .summary =
        "All stage their operands; each combines its share of them in rank order and stages the "
        "result for the others (reduce-scatter and allgather).",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&staged_batch_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: 2 copies of n, (p - 1) n / p combined",
    .order = coll::Order::ranks,
};

}  // namespace tasuki::node::staged
