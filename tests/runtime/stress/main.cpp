// A stress test that mixes all that ranks can do at once: calls of all sizes, nested and failing,
// continuations that wait, writes with and without signals, atomics, Syncs, collectives of several
// teams, and ranks that return early. A seed makes a plan; what each rank has in the end is
// compared with the reference model.
//
//   stress FIRST LAST        a round for each seed, one after the other
//   stress                   in loopback: the seed of TASUKI_LOOPBACK_SEED
#include <cstdio>
#include <cstdlib>

#include "runtime/stress/operations.hpp"
#include "runtime/stress/rank_state.hpp"

namespace tasuki::test::stress {
namespace {

constexpr std::size_t most_ranks = 64;

struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
};

Seeds seeds_of(int argc, char** argv) {
  if (argc == 3) return {std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10)};
  const char* seed = std::getenv("TASUKI_LOOPBACK_SEED");
  const std::uint64_t only = seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10);
  return {only, only};
}

void compare(const Outcome& found, const Outcome& expected) {
  expect(found.sum == expected.sum, "the sum of what calls added is wrong");
  expect(found.caught == expected.caught, "the sum of what was caught is wrong");
  expect(found.from_sync == expected.from_sync, "the sum of what the Sync gave is wrong");
  expect(found.private_inbox == expected.private_inbox, "a write to private memory is wrong");
}

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

/// Half of the ranks return while all their fibers are at work: the end of the job waits for these.
void run_last_round(std::uint64_t seed) {
  renew_state(seed);
  std::vector<Future<void>> fibers = start_fibers();
  if ((seed + static_cast<std::uint64_t>(rank())) % 2 == 0) return;
  for (Future<void>& fiber : fibers) fiber.get();
}

/// What does not lie in the heap, which is gone.
void check_after_the_end() {
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
    std::exit(1);
  }
}

}  // namespace
}  // namespace tasuki::test::stress

int main(int argc, char** argv) {
  using namespace tasuki::test::stress;
  states_here().resize(most_ranks);
  const Seeds seeds = seeds_of(argc, argv);
  const int exit_code = tasuki::run(argc, argv, [&] {
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) run_round(seed);
    run_last_round(seeds.last + 1);
  });
  if (exit_code != 0) return exit_code;
  check_after_the_end();
  return has_failed() ? 1 : 0;
}
