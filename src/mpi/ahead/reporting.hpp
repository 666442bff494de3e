// The report of this process: TASUKI_PREDICT_REPORT names the file to which it is appended.
//
// The wrappers count receives and time the calls that wait; who predicts counts what came of it. At
// MPI_Finalize each rank appends a line, which `tasuki run --tuned` and `tasuki reproduce
// prediction` read.
//
// Thread-safety: none; where threads call MPI at once (MPI_THREAD_MULTIPLE) there is no report.
#pragma once

#include "mpi/ahead/report.hpp"

#include <mpi.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/predict/mode.hpp>

#include <cstdint>

namespace tasuki::mpi::ahead {

namespace detail {
inline bool is_reporting = false;
inline Report report_of_process;
}  // namespace detail

inline bool is_reporting() noexcept { return detail::is_reporting; }
inline Report& report() noexcept { return detail::report_of_process; }

/// Reads the settings, after MPI_Init.
void start_reporting(predict::Mode mode, bool do_threads_call_at_once);
/// Writes the report, before MPI_Finalize, once.
void end_reporting();

/// Notes a receive that the program posts.
inline void count_receive(int source) noexcept {
  if (is_reporting() && source != MPI_PROC_NULL) report().count_receive();
}

/// Notes how long a call of the program takes that waits, from its own making to its end.
class TimedWait {
 public:
  /// `is_counted`: false where another wrapper counts the same call.
  explicit TimedWait(bool is_counted = true) noexcept
      : begin_ns_(is_counted && is_reporting() ? base::now_ns() : not_timed) {}
  ~TimedWait() {
    if (begin_ns_ != not_timed) report().add_wait(base::now_ns() - begin_ns_);
  }
  TimedWait(const TimedWait&) = delete;
  TimedWait& operator=(const TimedWait&) = delete;

 private:
  static constexpr std::int64_t not_timed = -1;

  std::int64_t begin_ns_;
};

}  // namespace tasuki::mpi::ahead
