#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/rank_order.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

/// The result of this rank is made of the operands of so many ranks, from the first on.
template <Collective collective>
int operands_count(const StagingBuffer& buffer, const coll::Call& call) {
  if (collective == Collective::exscan) return buffer.rank();
  if (collective == Collective::scan) return buffer.rank() + 1;
  return buffer.rank() == call.shape.root ? buffer.ranks() : 0;
}

template <Collective collective>
void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const int ranks_count = operands_count<collective>(buffer, call);
  const Pieces pieces(call.shape.count, call.shape.element_bytes, piece_bytes);
  const StagingBuffer::Turn turn(buffer, pieces.steps(), call);
  for (std::size_t i = 0; i < pieces.steps(); ++i) {
    const std::uint64_t step = turn.first_step() + i;
    const std::size_t bytes = pieces.bytes(i);
    buffer.stage(step, input_of(call) + pieces.offset_bytes(i), bytes);
    if (ranks_count == 0) continue;
    combine_in_rank_order(buffer, step, bytes, 0, pieces.count(i), ranks_count, call.op,
                          output_of(call) + pieces.offset_bytes(i));
  }
}

template <Collective collective>
constexpr coll::AlgorithmDescriptor in_rank_order(const char* summary, const char* cost_text) {
  return {.collective = collective,
          .name = "staged",
          .summary = summary,
          .not_applicable_because = needs_elements_of_a_slot,
          .parameters = {&staged_piece_bytes, 1},
          .way = in_shared_memory<run<collective>>,
          .cost_text = cost_text,
          .order = coll::Order::ranks};
}

}  // namespace

extern const coll::AlgorithmDescriptor reduce = in_rank_order<Collective::reduce>(
    "All stage their operands; the root combines them in rank order.",
    "a copy of n on each rank; (p - 1) n combined by the root");

extern const coll::AlgorithmDescriptor scan = in_rank_order<Collective::scan>(
    "All stage their operands; each combines those of the ranks up to its own, in order.",
    "on each rank: a copy of n, at most (p - 1) n combined");

extern const coll::AlgorithmDescriptor exscan = in_rank_order<Collective::exscan>(
    "All stage their operands; each combines those of the ranks before its own, in order.",
    "on each rank: a copy of n, at most (p - 2) n combined");

}  // namespace tasuki::node::staged
