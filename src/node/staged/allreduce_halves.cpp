#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/rank_order.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const auto ranks = static_cast<std::size_t>(buffer.ranks());
  const std::size_t element_bytes = call.shape.element_bytes;
  const Pieces pieces(call.shape.count, element_bytes, piece_bytes);
  const StagingBuffer::Turn turn(buffer, 2 * pieces.steps(), call);
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t operands_step = turn.first_step() + 2 * i;
    const std::uint64_t results_step = operands_step + 1;
    const std::size_t offset_bytes = pieces.offset_bytes(i);
    // The share of each rank but perhaps the last ones.
    const std::size_t share = (pieces.count(i) + ranks - 1) / ranks;
    const auto begin_of = [&](std::size_t rank) { return std::min(rank * share, pieces.count(i)); };
    const auto count_of = [&](std::size_t rank) { return begin_of(rank + 1) - begin_of(rank); };

    buffer.stage(operands_step, input_of(call) + offset_bytes, pieces.bytes(i));
    const auto me = static_cast<std::size_t>(buffer.rank());
    std::byte* const mine = buffer.open(results_step, count_of(me) * element_bytes);
    if (count_of(me) != 0) {
      combine_in_rank_order(buffer, operands_step, pieces.bytes(i), begin_of(me) * element_bytes,
                            count_of(me), buffer.ranks(), call.op, mine);
    }
    buffer.publish(results_step);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::size_t bytes = count_of(rank) * element_bytes;
      base::copy_bytes(output_of(call) + offset_bytes + begin_of(rank) * element_bytes,
                       buffer.await(static_cast<int>(rank), results_step, bytes), bytes);
    }
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
    .parameters = {&staged_piece_bytes, 1},
    .way = in_shared_memory<run>,
    .cost_text = "on each rank: 2 copies of n, (p - 1) n / p combined",
    .order = coll::Order::ranks,
};

}  // namespace tasuki::node::staged
