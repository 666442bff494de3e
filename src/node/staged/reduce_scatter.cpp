#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/block_layout.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/rank_order.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const std::size_t element_bytes = call.shape.element_bytes;
  const auto blocks = BlockLayout::received(call);
  // In bytes of one block, so that those of all ranks make a piece.
  const Pieces pieces(coll::common_count(call.collective, call.shape), element_bytes,
                      piece_bytes / static_cast<std::size_t>(buffer.ranks()));
  const StagingBuffer::Turn turn(buffer, pieces.steps(), call);
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    const auto count_of = [&](int rank) { return pieces.count_of(blocks.count(rank), i); };
    std::size_t all_bytes = 0;
    std::size_t self_offset = 0;
    for (int rank = 0; rank < buffer.ranks(); ++rank) {
      if (rank == buffer.rank()) self_offset = all_bytes;
      all_bytes += count_of(rank) * element_bytes;
    }
    std::byte* to = buffer.open(step, all_bytes);
    for (int rank = 0; rank < buffer.ranks(); ++rank) {
      const std::size_t bytes = count_of(rank) * element_bytes;
      base::copy_bytes(to, input_of(call) + blocks.offset_bytes(rank) + pieces.offset_bytes(i),
                       bytes);
      to += bytes;
    }
    buffer.publish(step);
    if (count_of(buffer.rank()) == 0) continue;
    combine_in_rank_order(buffer, step, all_bytes, self_offset, count_of(buffer.rank()),
                          buffer.ranks(), call.op, output_of(call) + pieces.offset_bytes(i));
  }
}

}  // namespace

extern const coll::AlgorithmDescriptor reduce_scatter = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "staged",
    .summary = "All stage their operands; each combines its block of them in rank order.",
    .not_applicable_because = needs_blocks_of_a_slot,
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: a copy of all its blocks, those for it of the others combined",
    .order = coll::Order::ranks,
};

}  // namespace tasuki::node::staged
