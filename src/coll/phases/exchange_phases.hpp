// Phases in which every rank has something for every other.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <span>

#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// alltoall and alltoallv: each rank sends its blocks to `batch` ranks ahead and receives those of
/// `batch` ranks behind per round; it copies its self block. 1 is the pairwise exchange, p - 1
/// sends everything at once. Requires: batch >= 1.
void exchange_in_batches(ScheduleBuilder& builder, const Shape& shape, int batch);

/// Of all of them: p - 1 rounds, and every block but the self block is sent once.
Cost exchange_cost(std::span<const Shape> shapes, const Parameters& parameters);

}  // namespace tasuki::coll
