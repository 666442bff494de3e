// What a seed makes the ranks of a stress test do: operations by rank and fiber, and collectives by
// team. Every rank makes the whole plan for itself, so that each knows what it is to be told.
//
// Thread-safety: values and pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace tasuki::test::stress {

enum class Kind : std::uint8_t {
  post_add,   ///< A one-way call that adds `value` to the target's sum.
  hop,        ///< A call that adds, calls the next rank `depth` times over, and returns a sum.
  chain,      ///< A call whose continuation calls again and waits for that.
  failing,    ///< A call that throws; the caller adds `value` to what it caught.
  large,      ///< A call with `bytes` of argument; adds their sum.
  put,        ///< A write of `bytes` into a place of its own, by message or directly.
  put_async,  ///< The same with a future, checked by reading it back.
  atomic,     ///< A fetch_add.
  sync,       ///< A write to the target's Sync, which a fiber there reads.
  any,        ///< `depth` + 1 calls, of which some throw; when_any says whose result is next.
};
inline constexpr int kinds_count = 10;

struct Operation {
  Kind kind{};
  int target = 0;
  std::uint64_t value = 0;
  std::size_t bytes = 0;  ///< Of `large`, `put` and `put_async`.
  std::size_t place = 0;  ///< Of puts: where in the target's inbox.
  bool in_heap = false;   ///< Of puts: which of its two inboxes.
  int depth = 0;          ///< Of `hop` and `any`.
};

/// Writes with signals from one rank to another, in this order, on one counter.
struct SignalledWrites {
  int source = 0;
  int target = 0;
  std::vector<std::size_t> bytes;   ///< Of each write ...
  std::vector<std::size_t> places;  ///< ... and where in the target's heap inbox.
};

enum class TeamKind : std::uint8_t { world, halves, reversed };

enum class CollectiveKind : std::uint8_t {
  barrier,
  broadcast,
  allreduce,
  alltoall,
  alltoallv,
  scan,
};
inline constexpr int collective_kinds_count = 6;

struct CollectiveStep {
  CollectiveKind kind{};
  std::size_t count = 0;
  std::uint64_t value = 0;
  bool is_async = false;
};

struct TeamPlan {
  TeamKind team{};
  std::vector<CollectiveStep> steps;
};

struct Plan {
  std::uint64_t seed = 0;
  int ranks = 1;
  /// By rank, then by fiber.
  std::vector<std::vector<std::vector<Operation>>> operations;
  std::vector<SignalledWrites> signalled;
  std::vector<TeamPlan> teams;
  std::vector<std::size_t> heap_inbox_bytes;     ///< By rank.
  std::vector<std::size_t> private_inbox_bytes;  ///< By rank.
  std::vector<std::size_t> sync_counts;          ///< Values that come into each rank's Sync.
};

Plan make_plan(std::uint64_t seed, int ranks);

/// What `put`s and signalled writes of this value fill their place with.
inline unsigned char byte_of(std::uint64_t value, std::size_t index) noexcept {
  return static_cast<unsigned char>(value * 31 + index * 7 + 1);
}

}  // namespace tasuki::test::stress
