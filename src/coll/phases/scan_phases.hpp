// The prefix reduction by recursive doubling, inclusive or exclusive.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>
#include <tasuki/detail/coll/shape.hpp>

namespace tasuki::coll {

enum class Prefix : bool { inclusive, exclusive };

/// Output gets the combination of the inputs of all ranks up to this one.
void scan_recursive_doubling(ScheduleBuilder& builder, const Shape& shape, Prefix prefix);

/// Of `scan_recursive_doubling`, inclusive or exclusive.
Cost scan_recursive_doubling_cost(const Shape& shape);

/// Each rank waits for the one before it.
void scan_linear(ScheduleBuilder& builder, const Shape& shape, Prefix prefix);

}  // namespace tasuki::coll
