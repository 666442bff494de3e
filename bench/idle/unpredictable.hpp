// A program whose messages nobody can predict: what idle work costs it.
//
// Used by bench_idle. Collective. Thread-safety: the rank's own thread.
#pragma once

namespace tasuki::bench {

/// Prints a line for each kind of stream. Requires: there are IdleWorks.
void measure_unpredictable();

}  // namespace tasuki::bench
