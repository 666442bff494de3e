// How much memory the arrays and files of one call need on a rank, known before anything is
// allocated: temporary files are often in memory, too.
//
// Compared with the server's limit by clients, by the front end where arrays pass through it, and
// by ranks. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "rpc/interface/call_layout.hpp"

namespace tasuki::rpc {

/// No server says less than this.
inline constexpr std::int64_t no_call_limit = INT64_MAX;

/// Returns: a + b; at most INT64_MAX. Requires: neither is negative.
std::int64_t sum_of_bytes(std::int64_t a, std::int64_t b) noexcept;

/// Returns: the bytes of all ranks' blocks of an array together; at most INT64_MAX.
std::int64_t bytes_on_all_ranks(const layout::ArrayLayout& layout) noexcept;

/// Returns: the bytes of all blocks, and of copies that the routine gets, on the rank that has
/// most; at most INT64_MAX. Requires: `layout` has an entry for each of the routine's parameters.
std::int64_t most_bytes_on_a_rank(const Routine& routine, const CallLayout& layout) noexcept;

/// Returns: the bytes of all files that are sent, of which each rank gets a copy; at most
/// INT64_MAX. `sizes` is the field `files` of a call. Throws tasuki::error that names the file if
/// its size is missing or negative.
std::int64_t sent_file_bytes(const Routine& routine, const nlohmann::json& sizes);

/// `file_bytes` is what sent_file_bytes says. Throws tasuki::error that says how much is needed and
/// allowed if a rank needs more.
void check_call_bytes(const Routine& routine, const CallLayout& layout, std::int64_t file_bytes,
                      std::int64_t limit_bytes);

}  // namespace tasuki::rpc
