// How a rank waits for flags in shared memory: it spins for a while, then lets its host do other
// work. Used by the staging buffer and the barriers. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>

#include "node/segment/host.hpp"

namespace tasuki::node {

class FlagWait {
 public:
  /// `team` as in Members.
  FlagWait(Host& host, std::uint64_t team)
      : host_(host), team_(team), may_spin_(host.traits().may_spin) {}

  bool may_spin() const noexcept { return may_spin_; }

  /// `what` names the collective in hang reports, `rank` of the job whom it waits for (-1: not one
  /// alone).
  template <class Ready>
  void until(const Ready& ready, int rank, const char* what) {
    for (int i = may_spin_ ? spins_before_polling : 1; i > 0; --i) {
      if (ready()) return;
    }
    for (std::uint64_t i = 0; !may_spin_ && i < waits_before_polling; ++i) {
      if (!host_.yield_to_peers(i)) break;
      if (ready()) return;
    }
    host_.wait_until(Condition(ready), {what, rank, team_});
  }

  static std::uint64_t load(const void* at) noexcept {
    return __atomic_load_n(static_cast<const std::uint64_t*>(at), __ATOMIC_ACQUIRE);
  }
  static void store(void* at, std::uint64_t value) noexcept {
    __atomic_store_n(static_cast<std::uint64_t*>(at), value, __ATOMIC_RELEASE);
  }

 private:
  // A peer that is on its way answers within a few cache misses, which is less than two fiber
  // switches; to spin longer would keep calls waiting (`tasuki bench micro --only barrier`).
  static constexpr int spins_before_polling = 2000;
  // Where ranks share cores, the peer needs this one's, so it yields before the poller runs. More
  // than twice gains nothing (`tasuki bench collectives -n 3,4,8 -s 4 -s 256`).
  static constexpr std::uint64_t waits_before_polling = 2;

  Host& host_;
  std::uint64_t team_;
  bool may_spin_;
};

}  // namespace tasuki::node
