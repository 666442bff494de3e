// What tells whether two processes run the same build of the same program.
//
// Called by transports at start, since remote calls rely on it. Thread-safety: any thread.
#pragma once

#include <cstdint>

namespace tasuki::base {

/// Hash of the main executable's build-id (the note the linker writes), never 0; if it has none,
/// of the file's size and time of change.
std::uint64_t main_build_id() noexcept;

}  // namespace tasuki::base
