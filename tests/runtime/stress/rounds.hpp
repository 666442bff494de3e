// The rounds of a stress test: each makes the plan of a seed, carries it out and compares what the
// rank has in the end with the reference model.
//
// Thread-safety: each rank's own thread; check_after_the_end when all ranks have ended.
#pragma once

#include <cstdint>

namespace tasuki::test::stress {

/// Room for the states of the ranks of this process. Called before they start.
void make_room_for_states();
/// Collective.
void run_round(std::uint64_t seed);
/// Half of the ranks return while all their fibers are at work: the end of the job waits for these.
/// Collective.
void run_last_round(std::uint64_t seed);
/// Compares what does not lie in the heap, which is gone. Returns: has all been done?
bool check_after_the_end();

}  // namespace tasuki::test::stress
