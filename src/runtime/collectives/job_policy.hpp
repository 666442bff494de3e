// How the job comes to its policy at start. Thread-safety: none; the rank's own thread.
#pragma once

namespace tasuki::runtime {

struct Rank;

/// Collective. Throws tasuki::error, on rank 0, if TASUKI_POLICY names a file that is not there, is
/// no policy, or was measured elsewhere.
void adopt_policy(Rank& self);

}  // namespace tasuki::runtime
