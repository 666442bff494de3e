// An allreduce of one element in place: the shortest way, for callers that know that it applies.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <tasuki/detail/coll/reduction.hpp>

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

/// What the algorithm `allreduce staged` does with one element. Requires: it fits
/// StagingBuffer::line_data_bytes.
void allreduce_element(StagingBuffer& buffer, std::byte* in_out, const coll::ReduceOp& op);

}  // namespace tasuki::node
