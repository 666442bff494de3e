// How a rank with nothing to do passes its time: it polls, pauses between polls, yields the core to
// other processes, sleeps; the longer it waits the less it costs the machine. Where others
// keep the core for long once they have it, it sleeps at once.
//
// Used by the waits of the shm node and of the mpi transport.
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <cstdint>

#include "transport/shm/cpu_share.hpp"

namespace tasuki::transport::shm {

class IdlePolicy {
 public:
  enum class Step {
    poll,   ///< Nothing: the caller's loop is the spin.
    pause,  ///< Spin without wearing out the core.
    yield,  ///< Let another process run.
    sleep,
  };

  IdlePolicy() = default;
  /// As TASUKI_SPIN_US and TASUKI_SLEEP_AFTER_US say; no spinning if the node's ranks outnumber
  /// the cores they may use. `ranks` are those of the node: that these compute makes no crowd.
  /// Throws tasuki::error: malformed setting.
  static IdlePolicy from_settings(bool oversubscribed, CpuShare ranks = {});

  /// Something happened that the caller does not count.
  void restart() noexcept { idle_since_ns_ = 0; }
  /// What to do at the `idle_count`-th call since something last happened.
  Step next(std::uint64_t idle_count) noexcept;
  /// Does the step, but for sleep. Returns: is it time to sleep?
  bool pass(Step step);
  /// Judges by how long it took. Requires: at once after a yield.
  void end_yield();

 private:
  CpuShare ranks_;
  std::int64_t spin_ns_ = 0;
  std::int64_t sleep_after_ns_ = 0;
  std::uint64_t polls_ = 0;
  std::uint64_t last_count_ = 0;
  std::int64_t idle_since_ns_ = 0;  ///< 0: not yet read in this period.
  std::int64_t yielded_ns_ = 0;     ///< When the last step to yield was given.
  std::int64_t crowded_for_ns_ = 0;
  std::int64_t crowded_until_ns_ = 0;
};

}  // namespace tasuki::transport::shm
