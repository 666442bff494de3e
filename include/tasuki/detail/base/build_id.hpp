// What tells whether two processes run the same build of the same program.
//
// Called by transports at start, since remote calls rely on it. Thread-safety: any thread.
#pragma once

#include <cstdint>

namespace tasuki::base {

/// Hash of the build-id (the note the linker writes) of what Tasuki is linked into, the main
/// executable or an extension module of Python; never 0. If it has none, of the executable's size
/// and time of change.
std::uint64_t main_build_id() noexcept;

}  // namespace tasuki::base
