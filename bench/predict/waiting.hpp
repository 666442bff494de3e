// What waiting costs: the times behind WaitLimits. Thread-safety: called by main.
#pragma once

namespace tasuki::bench {

/// Prints the lower quartiles of what a yield, a sleep and a decision take.
void measure_waiting();

}  // namespace tasuki::bench
