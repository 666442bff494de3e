#include <algorithm>
#include <cstring>
#include <memory>

#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/slots.hpp"
#include "node/single_copy/exposure.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

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
  PieceCombiner(StagingBuffer& buffer, const coll::Call& call, Exposure& operands,
                std::size_t piece_bytes)
      : buffer_(buffer),
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
    const int me = buffer_.rank();
    if (me > 0) {
      operands_.read(0, offset_bytes, {before_.get(), bytes});
      for (int rank = 1; rank < me; ++rank) {
        op.apply_right(read(rank, offset_bytes, bytes), before_.get(), count, op.state);
      }
      op.apply(before_.get(), into, count, op.state);
    }
    for (int rank = me + 1; rank < buffer_.ranks(); ++rank) {
      op.apply_right(read(rank, offset_bytes, bytes), into, count, op.state);
    }
  }

 private:
  const std::byte* read(int rank, std::size_t offset_bytes, std::size_t bytes) {
    operands_.read(rank, offset_bytes, {theirs_.get(), bytes});
    return theirs_.get();
  }

  StagingBuffer& buffer_;
  const coll::Call& call_;
  Exposure& operands_;
  std::unique_ptr<std::byte[]> before_;
  std::unique_ptr<std::byte[]> theirs_;
};

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const std::size_t element_bytes = call.shape.element_bytes;
  Exposure memory(buffer, call.input, call.output, 1, call);
  const Share mine(call.shape.count, buffer.ranks(), buffer.rank());
  const Pieces pieces(mine.count, element_bytes, piece_bytes);
  PieceCombiner combiner(buffer, call, memory, std::max(piece_bytes, element_bytes));
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    combiner.combine(mine.begin * element_bytes + pieces.offset_bytes(i), pieces.count(i));
  }
  // From here on a share's operands are nobody's concern any more: the results may go there.
  memory.sync();
  for (int distance = 1; distance < buffer.ranks(); ++distance) {
    const int rank = (buffer.rank() + distance) % buffer.ranks();
    const Share theirs(call.shape.count, buffer.ranks(), rank);
    memory.read_second(
        rank, theirs.begin * element_bytes,
        {output_of(call) + theirs.begin * element_bytes, theirs.count * element_bytes});
  }
  memory.end(true);
}

}  // namespace

extern const coll::AlgorithmDescriptor allreduce = {
    .collective = Collective::allreduce,
    .name = "single_copy",
    .summary =
        "Each rank combines its share of the operands straight out of the others' memory, piece by "
        "piece, then copies the other shares from where they were combined (reduce-scatter and "
        "allgather).",
    .parameters = {&staged_piece_bytes, 1},
    .way = in_peer_memory<run>,
    .cost_text = "on each rank: 2 (p - 1) n / p copied, (p - 1) n / p combined",
    .order = coll::Order::ranks,
};

}  // namespace tasuki::node::single_copy
