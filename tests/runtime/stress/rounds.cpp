#include "runtime/stress/rounds.hpp"

#include <cstdio>

#include "runtime/stress/operations.hpp"
#include "runtime/stress/rank_state.hpp"

namespace tasuki::test::stress {
namespace {

constexpr std::size_t most_ranks = 64;

void compare(const Outcome& found, const Outcome& expected) {
  expect(found.sum == expected.sum, "the sum of what calls added is wrong");
  expect(found.caught == expected.caught, "the sum of what was caught is wrong");
  expect(found.from_sync == expected.from_sync, "the sum of what the Sync gave is wrong");
  expect(found.private_inbox == expected.private_inbox, "a write to private memory is wrong");
}

}  // namespace

void make_room_for_states() { states_here().resize(most_ranks); }

void run_round(std::uint64_t seed) {
  renew_state(seed);
  std::vector<Future<void>> fibers = start_fibers();
  for (Future<void>& fiber : fibers) fiber.get();
  quiesce();
  barrier();
  collect_from_heap();
  const Outcome expected = expected_outcomes(own_state().plan)[static_cast<std::size_t>(rank())];
  const Outcome& found = own_state().outcome;
  compare(found, expected);
  expect(found.heap_inbox == expected.heap_inbox, "a write to the heap is wrong");
  expect(found.atomic == expected.atomic, "the sum of atomic additions is wrong");
  barrier();
}

void run_last_round(std::uint64_t seed) {
  renew_state(seed);
  std::vector<Future<void>> fibers = start_fibers();
  if ((seed + static_cast<std::uint64_t>(rank())) % 2 == 0) return;
  for (Future<void>& fiber : fibers) fiber.get();
}

bool check_after_the_end() {
  for (std::size_t rank = 0; rank < states_here().size(); ++rank) {
    const auto& state = states_here()[rank];
    if (state == nullptr) continue;
    const Outcome& found = state->outcome;
    const Outcome expected = expected_outcomes(state->plan)[rank];
    if (found.sum == expected.sum && found.caught == expected.caught &&
        found.from_sync == expected.from_sync && found.private_inbox == expected.private_inbox) {
      continue;
    }
    std::fprintf(stderr, "rank %zu, seed %llu: the job ended before all was done\n", rank,
                 static_cast<unsigned long long>(state->plan.seed));
    return false;
  }
  return true;
}

}  // namespace tasuki::test::stress
