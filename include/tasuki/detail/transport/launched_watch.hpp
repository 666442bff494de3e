// The watch over a host whose ranks are no ranks of Tasuki, as `tasuki run` starts it
// (docs/design/vanished-hosts.md).
//
// Called by the program tasuki_host_watch. Thread-safety: one thread.
#pragma once

namespace tasuki::transport {

/// Speaks with the launcher by lines: reads from the descriptor `input`, writes to `output`.
/// Returns when the launcher has ended, or the job because of a host that has vanished. Throws
/// tasuki::error if it cannot watch.
void watch_for_launcher(int input, int output);

}  // namespace tasuki::transport
