// How a program's blocking calls wait: they poll, and between polls they spin, yield or sleep, by
// how long the waits at that place of the program have lasted before.
//
// The wrappers of blocking calls use it where TASUKI_PREDICT is guarded and ranks share cores: an
// MPI library that spins then keeps the core from the rank it waits for. Where each rank has a core
// of its own, and where the library yields by itself, calls go to the library as they are. With
// always or fixed they wait so everywhere, with off nowhere.
//
// Thread-safety: none; where threads call MPI at once (MPI_THREAD_MULTIPLE) it is off.
#pragma once

#include "mpi/ahead/recorded_run.hpp"
#include "mpi/record/hash.hpp"

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/predict/fixed_wait.hpp>
#include <tasuki/detail/predict/known_wait.hpp>
#include <tasuki/detail/predict/mode.hpp>
#include <tasuki/detail/predict/wait_histogram.hpp>
#include <tasuki/detail/predict/wait_policy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tasuki::mpi::wait {

namespace detail {
inline bool is_waiting = false;
}

/// After MPI_Init. Bounce receives need waits by polls. Collective over MPI_COMM_WORLD.
void start_waiting(predict::Mode mode, bool is_bouncing);
inline bool is_on() noexcept { return detail::is_waiting; }

class Waiting {
 public:
  /// `is_fixed`: by fixed times, whatever the waits have been. `earlier`: a run whose waits are
  /// expected again; nullptr if there is none.
  void configure(bool is_fixed, bool is_oversubscribed, ahead::RecordedRun* earlier) noexcept {
    is_fixed_ = is_fixed;
    is_oversubscribed_ = is_oversubscribed;
    earlier_ = earlier;
  }

  /// Returns when the wait is over: `poll` returns an MPI code, which ends it if it is an error,
  /// and says by its argument whether it is over. `work` is called between polls and returns
  /// whether it has done anything; where it has not, the rank spins, yields or sleeps. `place` is
  /// the address of the call in the program.
  template <typename Poll, typename Work>
  int until(const void* place, const Poll& poll, const Work& work) {
    std::optional<std::int64_t> known_ns;
    if (earlier_ != nullptr) known_ns = earlier_->next_wait_ns(place);
    bool is_done = false;
    int code = poll(is_done);
    if (is_done || code != 0) return code;
    predict::WaitHistogram& waits = waits_at(place);
    const std::int64_t begin_ns = base::now_ns();
    std::int64_t elapsed_ns = 0;
    while (!is_done && code == 0) {
      if (!work()) take(next_step(waits, elapsed_ns, known_ns));
      code = poll(is_done);
      elapsed_ns = base::now_ns() - begin_ns;
    }
    waits.add(elapsed_ns);
    return code;
  }

 private:
  /// Places that share a histogram only predict worse.
  static constexpr int places_bits = 8;
  static constexpr std::size_t places_count = std::size_t{1} << places_bits;

  predict::WaitStep next_step(const predict::WaitHistogram& waits, std::int64_t elapsed_ns,
                              const std::optional<std::int64_t>& known_ns) const noexcept {
    if (known_ns) return predict::known_step(*known_ns - elapsed_ns, is_oversubscribed_);
    return is_fixed_ ? predict::fixed_step(elapsed_ns)
                     : predict::next_step(waits, elapsed_ns, is_oversubscribed_);
  }
  static void take(const predict::WaitStep& step);
  predict::WaitHistogram& waits_at(const void* place) noexcept {
    return places_[record::hash_of(reinterpret_cast<std::uint64_t>(place), places_bits)];
  }

  bool is_fixed_ = false;
  bool is_oversubscribed_ = false;
  ahead::RecordedRun* earlier_ = nullptr;
  std::array<predict::WaitHistogram, places_count> places_{};
};

Waiting& waiting() noexcept;

}  // namespace tasuki::mpi::wait
