// The first half of broadcasts that scatter the message and then gather it everywhere.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <cstddef>

#include <tasuki/detail/coll/schedule_builder.hpp>
#include <tasuki/detail/coll/shape.hpp>

namespace tasuki::coll {

/// Cuts the message in the root's output into one block per rank; block i ends in its place in
/// the output of the rank with number i relative to the root, down a binomial tree.
void scatter_for_broadcast(ScheduleBuilder& builder, const Shape& shape);

/// Elements that all ranks together send for it.
std::size_t scatter_for_broadcast_elements(const Shape& shape);

}  // namespace tasuki::coll
