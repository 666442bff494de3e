#include "node/segment/block_layout.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/others.hpp"
#include "node/segment/pieces.hpp"
#include "node/segment/slots.hpp"
#include "node/single_copy/uneven_blocks.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

/// Of gatherv, scatterv or alltoallv: each rank gives blocks to the root or to all others, and
/// takes those that are for it.
template <Collective collective>
void run(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes) {
  constexpr bool gathers = collective == Collective::gatherv;
  constexpr bool scatters = collective == Collective::scatterv;
  const int self = buffer.rank();
  const int root = call.shape.root;
  const bool is_root = self == root;
  const std::size_t one_block_bytes = call.shape.count * call.shape.element_bytes;
  const auto sent = BlockLayout::sent(call);
  const auto received = BlockLayout::received(call);
  const auto block_for = [&](int taker) -> std::span<const std::byte> {
    if (gathers) return {input_of(call), one_block_bytes};
    return {input_of(call) + sent.offset_bytes(taker), sent.bytes(taker)};
  };
  const auto block_from = [&](int giver) -> std::span<std::byte> {
    if (scatters) return {output_of(call), one_block_bytes};
    return {output_of(call) + received.offset_bytes(giver), received.bytes(giver)};
  };

  UnevenBlocks blocks(buffer, call, piece_bytes, gathers ? 1 : buffer.ranks() - 1);
  const auto give = [&](int taker) { blocks.give(taker, block_for(taker)); };
  if (gathers && !is_root) give(root);
  if (!gathers && (!scatters || is_root)) for_each_other(buffer, give);
  blocks.publish();
  if (is_root || (!gathers && !scatters)) {
    const auto self_block = block_for(self);
    copy_self_block({block_from(self).data(), self_block.size()}, self_block.data());
  }
  const auto take = [&](int giver) { blocks.take(giver, block_from(giver)); };
  if (scatters && !is_root) take(root);
  if (!scatters && (!gathers || is_root)) for_each_other(buffer, take);
  blocks.end();
}

using Precondition = std::string(const coll::Shape& shape, const coll::Parameters& parameters);

template <Collective collective>
constexpr coll::AlgorithmDescriptor of_uneven_blocks(const char* summary, const char* cost_text,
                                                     Precondition* not_applicable_because) {
  return {.collective = collective,
          .name = "staged_or_single_copy",
          .summary = summary,
          .not_applicable_because = not_applicable_because,
          .parameters = {&uneven_piece_bytes, 1},
          .way = in_peer_memory<run<collective>>,
          .cost_text = cost_text};
}

}  // namespace

extern const coll::AlgorithmDescriptor gatherv = of_uneven_blocks<Collective::gatherv>(
    "Blocks that fit a piece go through the staging buffer; the root copies longer ones straight "
    "out of their rank's memory.",
    "on the root: a copy of each block", coll::always_applicable);

extern const coll::AlgorithmDescriptor scatterv = of_uneven_blocks<Collective::scatterv>(
    "Blocks that fit a piece go through the staging buffer; each rank copies a longer one straight "
    "out of the root's memory.",
    "on each rank: a copy of its block; on the root: of the short ones", needs_shares_of_a_slot);

extern const coll::AlgorithmDescriptor alltoallv = of_uneven_blocks<Collective::alltoallv>(
    "Blocks that fit a piece go through the staging buffer; each rank copies longer ones straight "
    "out of the memory of the others.",
    "on each rank: a copy of each block, two of the short ones", needs_shares_of_a_slot);

}  // namespace tasuki::node::single_copy
