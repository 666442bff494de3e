// Waits for whoever reads what this process prints, before it ends in a way that loses output.
//
// MPICH's mpiexec (4.0) ends its helper on each host when a rank aborts, and with it what the
// helper has not read yet: the text that says why. Open MPI's (5.0) prints a text of its own at
// once, which may come between two pieces of the rank's. Thread-safety: safe.
#pragma once

namespace tasuki::base {

/// Waits until all that was written to `descriptor` has been read, for 0.2 s at most. Does not wait
/// if it is no pipe.
void await_reader(int descriptor) noexcept;

}  // namespace tasuki::base
