// What gather and allgather have in common.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <tasuki/detail/coll/call.hpp>

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node::staged {

/// All ranks stage their blocks; those that are told to `take` copy everybody's.
void stage_all_blocks(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes,
                      bool take);

}  // namespace tasuki::node::staged
