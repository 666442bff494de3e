#include <optional>
#include <tasuki/detail/base/copy_bytes.hpp>

#include "node/segment/block_layout.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node::staged {
namespace {

using coll::Collective;

/// Of gather or allgather: all stage their blocks, and whoever gets them copies everybody's.
template <Collective collective>
void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  const bool take = collective == Collective::allgather || buffer.rank() == call.shape.root;
  const auto blocks = BlockLayout::received(call);
  const std::size_t element_bytes = call.shape.element_bytes;
  const Pieces pieces(coll::common_count(call.collective, call.shape), element_bytes, piece_bytes);
  const std::size_t steps_count = pieces.steps();
  const StagingBuffer::Turn turn(buffer, steps_count, call);
  const std::size_t self_count = blocks.count(buffer.rank());
  const auto stage = [&](std::size_t i) {
    buffer.stage(turn.first_step() + i, input_of(call) + pieces.offset_bytes(i),
                 pieces.count_of(self_count, i) * element_bytes);
  };
  stage(0);
  for (std::size_t i = 0; i < steps_count; ++i) {
    // One piece ahead, so that the others have it when they are through with this one.
    if (i + 1 < steps_count) stage(i + 1);
    for (int rank = 0; take && rank < buffer.ranks(); ++rank) {
      const std::size_t bytes = pieces.count_of(blocks.count(rank), i) * element_bytes;
      std::byte* const into = output_of(call) + blocks.offset_bytes(rank) + pieces.offset_bytes(i);
      if (rank == buffer.rank()) {
        copy_self_block({into, bytes}, input_of(call) + pieces.offset_bytes(i));
      } else {
        base::copy_bytes(into, buffer.await(rank, turn.first_step() + i, bytes), bytes);
      }
    }
  }
}

template <Collective collective>
constexpr coll::AlgorithmDescriptor of_all_blocks(std::optional<Collective> uneven,
                                                  const char* summary, const char* cost_text) {
  return {.collective = collective,
          .uneven = uneven,
          .name = "staged",
          .summary = summary,
          .not_applicable_because = needs_elements_of_a_slot,
          .parameters = {&staged_piece_bytes, 1},
          .way = in_shared_memory<run<collective>>,
          .cost_text = cost_text};
}

}  // namespace

extern const coll::AlgorithmDescriptor gather =
    of_all_blocks<Collective::gather>({}, "All stage their blocks; the root copies them.",
                                      "a copy of n on each rank, of p n by the root");

extern const coll::AlgorithmDescriptor allgather = of_all_blocks<Collective::allgather>(
    Collective::allgatherv, "All stage their blocks, and each copies those of the others.",
    "on each rank: a copy of its block and one of each other");

}  // namespace tasuki::node::staged
