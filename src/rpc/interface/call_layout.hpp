// How the arrays of one call lie on the ranks of its routine.
//
// The client and each rank compute it from the interface, the call's scalars and the number of
// ranks, so that it never travels. Thread-safety: values that nobody changes.
#pragma once

#include <optional>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

/// Returns: the integers among the scalars that a call sends, for the interface's expressions.
/// Throws tasuki::error that names the argument if a scalar is missing, is too many, or is nothing
/// that its type holds.
Integers integers_of(const Routine& routine, const nlohmann::json& scalars);

/// Writes a scalar as C lays it out. Requires: `scalars` have passed integers_of, `to` has
/// bytes_of(parameter.number).
void write_scalar(const Parameter& parameter, const nlohmann::json& scalars, std::byte* to);

/// The array of each parameter; nothing for other arguments. An array that is not distributed lies
/// on every rank; it is returned by the first.
using CallLayout = std::vector<std::optional<layout::ArrayLayout>>;

/// An array selects the elements that travel. Throws tasuki::error that names the argument if a
/// size is negative, a range is outside of its dimension or no memory holds the array, or if the
/// grid that the interface asks for is not that of `ranks`.
CallLayout layout_of(const Routine& routine, const Integers& integers, int ranks);

/// The arrays as their owner has them: each on one rank, in one piece. Throws tasuki::error that
/// names the argument if a size is negative, a range is outside of its dimension or no memory holds
/// the array.
CallLayout whole_layout_of(const Routine& routine, const Integers& integers);

/// The arrays of a callback, each in one piece. Throws tasuki::error like whole_layout_of.
std::vector<layout::ArrayLayout> layout_of(const Callback& callback, const Integers& integers);

/// Does the rank give the array back?
bool is_returned_by(int rank, const Parameter& parameter) noexcept;

}  // namespace tasuki::rpc
