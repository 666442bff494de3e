// How much memory the arrays of one call need on a rank, known before anything is allocated.
//
// Compared with the server's limit by clients, by the front end where arrays pass through it, and
// by ranks. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "rpc/interface/call_layout.hpp"

namespace tasuki::rpc {

/// No server says less than this.
inline constexpr std::int64_t no_call_limit = INT64_MAX;

/// Returns: the bytes of all blocks, and of copies that the routine gets, on the rank that has
/// most; at most INT64_MAX. Requires: `layout` has an entry for each of the routine's parameters.
std::int64_t most_bytes_on_a_rank(const Routine& routine, const CallLayout& layout) noexcept;

/// Throws tasuki::error that says how much is needed and allowed if a rank needs more.
void check_call_bytes(const Routine& routine, const CallLayout& layout, std::int64_t limit_bytes);

}  // namespace tasuki::rpc
