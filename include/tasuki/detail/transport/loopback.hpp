// Loopback: n ranks in one thread, the deterministic test double of the transport interface.
//
// Each rank is a context with its own stack; the cluster switches between them inside `wait`, and
// also inside `poll` and `progress` so that a rank that only polls cannot starve the others. With
// a seed other than 0 messages are delayed and channels reordered against each other (never within
// one), sends are refused now and then, and bulk data moves late; the same seed and program give
// the same run. Called by the runtime (`TASUKI_TRANSPORT=loopback`) and by tests.
//
// Thread-safety: none; a cluster lives in one thread, and one thread runs one cluster at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::transport {

namespace loopback {
class Cluster;
}

/// What a cluster is like. `with_seed` fills in what follows from a seed.
struct LoopbackOptions {
  int rank_count = 2;
  std::uint64_t seed = 0;  ///< 0: no delays, no refusals, round-robin switching.
  bool maps_peers = true;  ///< `map`, `put_private` and `shared_scratch` work between ranks.
  std::size_t message_max_bytes = 8192;
  std::size_t channel_bytes = 256 * 1024;  ///< Back-pressure above this much unreceived.
  std::size_t heap_reserve_bytes = std::size_t{1} << 30;
  std::size_t stack_bytes = std::size_t{1} << 20;  ///< Per rank, without its guard page.
  /// Waits in a row, per rank, with nothing sent, received or completed, before `stalled` is
  /// called. Most of the rounds sleep up to 50 us, so the default is about a second.
  std::uint64_t stalled_after_rounds = 10'000;

  /// Odd seeds turn `maps_peers` off; seeds divisible by 3 shrink the channels.
  static LoopbackOptions with_seed(int rank_count, std::uint64_t seed);
  /// From TASUKI_LOOPBACK_RANKS, TASUKI_LOOPBACK_SEED and TASUKI_HEAP_MAX_BYTES.
  static LoopbackOptions from_settings();
};

/// What the cluster calls around a switch between ranks, for the caller's per-thread state.
struct LoopbackHooks {
  /// Returns the state of the rank that is left (of the thread, on leaving the first time).
  std::function<void*()> save_current;
  /// Puts it back; nullptr when a rank runs for the first time.
  std::function<void(void*)> restore_current;
  /// All ranks wait and nothing is under way. Called on the context of the rank that noticed it,
  /// again after each further `stalled_after_rounds`. Default: the run ends with tasuki::error.
  std::function<void()> stalled;
};

class LoopbackCluster {
 public:
  explicit LoopbackCluster(const LoopbackOptions& options, LoopbackHooks hooks = {});
  ~LoopbackCluster();
  LoopbackCluster(const LoopbackCluster&) = delete;
  LoopbackCluster& operator=(const LoopbackCluster&) = delete;

  /// Runs `body` once per rank, each with its own transport (not started), and returns when all
  /// have returned. An exception that leaves a body is rethrown here once the other ranks have
  /// ended or stalled; the stacks of stalled ranks are dropped without unwinding.
  /// Throws tasuki::error if the ranks stall, or end with messages undelivered.
  void run(const std::function<void(Transport&)>& body);

 private:
  std::unique_ptr<loopback::Cluster> cluster_;
};

}  // namespace tasuki::transport
