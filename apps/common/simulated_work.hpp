// What the numerical code takes on a simulated node, told to the simulator phase by phase.
//
// Called by CG, IS and the shortest paths after each phase; does nothing outside SimGrid.
// Left to itself SimGrid would clock the code on the machine that simulates, and the simulated
// times would change with that machine and with what else it does. The simulator is told to clock
// nothing (reproduce/simulation.py), and each phase states its time on the core where it was
// measured; the platform file says how much slower a node is. Thread-safety: the rank's own thread.
#pragma once

// Part of SimGrid's SMPI, hence weak: null in all programs that it does not run.
extern "C" [[gnu::weak]] void smpi_execute_flops(double flops);

namespace tasuki::apps {

/// One "flop" of the platform files is one nanosecond of that core.
inline void spend_simulated_ns(double time_ns) {
  if (smpi_execute_flops != nullptr) smpi_execute_flops(time_ns);
}

}  // namespace tasuki::apps
