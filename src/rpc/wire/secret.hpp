// Words that nobody can guess: tickets of calls, and keys by which ranks join.
//
// Thread-safety: any thread.
#pragma once

#include <string>

namespace tasuki::rpc {

/// Returns: 128 random bits of the system, as 32 hexadecimal digits.
/// Throws tasuki::error if the system has none.
std::string make_secret();

}  // namespace tasuki::rpc
