// A stress test that mixes all that ranks can do at once: calls of all sizes, nested and failing,
// continuations that wait, futures by when_any, writes with and without signals, atomics, Syncs,
// collectives of several teams, and ranks that return early. A seed makes a plan; what each rank
// has in the end is compared with the reference model.
//
//   stress FIRST LAST        a round for each seed, one after the other
//   stress                   in loopback: the seed of TASUKI_LOOPBACK_SEED
#include <cstdlib>

#include "runtime/stress/rank_state.hpp"
#include "runtime/stress/rounds.hpp"

namespace tasuki::test::stress {
namespace {

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

}  // namespace
}  // namespace tasuki::test::stress

int main(int argc, char** argv) {
  using namespace tasuki::test::stress;
  make_room_for_states();
  const Seeds seeds = seeds_of(argc, argv);
  const int exit_code = tasuki::run(argc, argv, [&] {
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) run_round(seed);
    run_last_round(seeds.last + 1);
  });
  if (exit_code != 0) return exit_code;
  return check_after_the_end() && !has_failed() ? 0 : 1;
}
