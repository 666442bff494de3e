// Carries a plan out on the calling rank.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <tasuki/tasuki.hpp>

namespace tasuki::test::stress {

/// Starts all fibers of the calling rank's plan: operations, signalled writes and their readers,
/// the reader of the Sync, and one for each team. Returns: one future each.
std::vector<Future<void>> start_fibers();

}  // namespace tasuki::test::stress
