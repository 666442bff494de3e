// What the v-forms in node memory have in common.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/coll/call.hpp>

#include "node/segment/block_layout.hpp"
#include "node/segment/others.hpp"
#include "node/segment/pieces.hpp"
#include "node/single_copy/uneven_blocks.hpp"

namespace tasuki::node::single_copy {

/// Gives each other rank its block of the input.
inline void give_to_others(UnevenBlocks& blocks, const StagingBuffer& buffer,
                           const coll::Call& call) {
  const auto layout = BlockLayout::sent(call);
  for_each_other(buffer, [&](int taker) {
    blocks.give(taker, {input_of(call) + layout.offset_bytes(taker), layout.bytes(taker)});
  });
}

/// Takes the blocks of all other ranks into the output.
inline void take_from_others(UnevenBlocks& blocks, const StagingBuffer& buffer,
                             const coll::Call& call) {
  const auto layout = BlockLayout::received(call);
  for_each_other(buffer, [&](int giver) {
    blocks.take(giver, {output_of(call) + layout.offset_bytes(giver), layout.bytes(giver)});
  });
}

}  // namespace tasuki::node::single_copy
