// What one rank of a stress test has, and where it is found by the functions that others call.
//
// In loopback all ranks live in one process, so the states stand in a table by rank. Thread-safety:
// each rank's own thread; the table is made before the ranks start.
#pragma once

#include <memory>
#include <string>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "runtime/stress/model.hpp"

namespace tasuki::test::stress {

/// Where others reach a rank.
struct Directory {
  GlobalPtr<unsigned char> heap_inbox;
  GlobalPtr<unsigned char> private_inbox;
  GlobalPtr<std::uint64_t> atomic;
  GlobalPtr<std::uint64_t> counters;  ///< Of signals, by source.
  GlobalPtr<Sync<std::uint64_t>> sync;
};

struct RankState {
  Plan plan;
  Outcome outcome;  ///< Its heap inbox is filled in at the end.
  Sync<std::uint64_t> sync;
  std::vector<Directory> directory;  ///< By rank.
  std::vector<Team> teams;           ///< As in the plan.
};

/// That of the calling rank.
RankState& own_state();
/// Makes the calling rank's anew. Collective.
void renew_state(std::uint64_t seed);
/// Copies to the outcome what lies in the heap, and frees that. Collective.
void collect_from_heap();

/// Those of the ranks of this process, by rank; null for the others.
std::vector<std::unique_ptr<RankState>>& states_here();

/// Says what is wrong on the calling rank; the program ends with an error then.
void fail(const std::string& text);
inline void expect(bool is_right, const char* text) {
  if (!is_right) fail(text);
}
bool has_failed() noexcept;

}  // namespace tasuki::test::stress
