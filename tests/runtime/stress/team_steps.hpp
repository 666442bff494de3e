// The collectives of a stress test: those of one team on the calling rank, checked one by one.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>

namespace tasuki::test::stress {

/// Those of team `index` of the plan, in order. Collective over the team.
void run_team_steps(std::size_t index);

}  // namespace tasuki::test::stress
