// What one rank measures in the timed part: time, its split, and the messages it caused.
//
// Used by the communication of each program; the numerical code never looks at a clock.
// Thread-safety: one Stopwatch per rank.
#pragma once

#include <cstdint>

namespace tasuki::apps {

/// One rank's share of the timed part. Trivially copyable: it travels to rank 0 as it is.
struct Measurement {
  double seconds = 0;                ///< Wall time.
  double communication_seconds = 0;  ///< Of which in communication calls; 0 with --no-split.
  std::uint64_t messages = 0;        ///< Messages or remote writes, and collective calls.
  std::uint64_t bytes = 0;           ///< Payload of these.
};

class Stopwatch {
 public:
  /// `now_s` is the wall clock in seconds (under a simulator: of the simulated machine).
  Stopwatch(double (*now_s)(), bool split) noexcept : now_s_(now_s), split_(split) {}

  /// Begins the timed part with all counts at zero.
  void start() noexcept {
    measured_ = {};
    start_s_ = now_s_();
  }

  /// Ends the timed part.
  Measurement stop() noexcept {
    measured_.seconds = now_s_() - start_s_;
    return measured_;
  }

  /// Counts `messages` of `bytes` in all.
  void count(std::uint64_t messages, std::uint64_t bytes) noexcept {
    measured_.messages += messages;
    measured_.bytes += bytes;
  }

  /// Clocks its own lifetime as communication.
  class Communication {
   public:
    explicit Communication(Stopwatch& watch) noexcept
        : watch_(watch), start_s_(watch.split_ ? watch.now_s_() : 0) {}
    ~Communication() {
      if (watch_.split_) watch_.measured_.communication_seconds += watch_.now_s_() - start_s_;
    }
    Communication(const Communication&) = delete;
    Communication& operator=(const Communication&) = delete;

   private:
    Stopwatch& watch_;
    double start_s_;
  };

 private:
  double (*now_s_)();
  bool split_;
  double start_s_ = 0;
  Measurement measured_;
};

}  // namespace tasuki::apps
