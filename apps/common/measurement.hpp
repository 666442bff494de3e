// What one rank measures in the timed part: time, its split, and the messages it caused.
//
// Used by the communication of each program; the numerical code never reads a clock.
// Thread-safety: one Stopwatch per rank.
#pragma once

#include <cstdint>

// Tells a counter of messages (apps/mpcxx/message_counts.cpp) where the timed part begins and ends;
// weak, hence null in programs without one.
extern "C" [[gnu::weak]] void tasuki_timed_part(bool begins);

namespace tasuki::apps {

/// One rank's share of the timed part. Trivially copyable: it travels to rank 0 as it is.
struct Measurement {
  double seconds = 0;                ///< Wall time.
  double communication_seconds = 0;  ///< Of which in communication calls; 0 with --no-split.
  double wait_seconds = 0;           ///< Of which waiting for others, where that is told apart.
  std::uint64_t messages = 0;        ///< Messages or remote writes, and collective calls.
  std::uint64_t bytes = 0;           ///< Payload of these.
};

class Stopwatch {
 public:
  /// `now_s` is the wall clock in seconds (under a simulator: of the simulated machine).
  Stopwatch(double (*now_s)(), bool split) noexcept : now_s_(now_s), split_(split) {}

  /// Begins the timed part with all counts at zero.
  void start() noexcept {
    if (tasuki_timed_part != nullptr) tasuki_timed_part(true);
    measured_ = {};
    start_s_ = now_s_();
  }

  /// Ends the timed part.
  Measurement stop() noexcept {
    measured_.seconds = now_s_() - start_s_;
    if (tasuki_timed_part != nullptr) tasuki_timed_part(false);
    return measured_;
  }

  /// Counts `messages` of `bytes` in all.
  void count(std::uint64_t messages, std::uint64_t bytes) noexcept {
    measured_.messages += messages;
    measured_.bytes += bytes;
  }

  bool is_split() const noexcept { return split_; }

  /// Clocks its own lifetime as one share of the time.
  template <double Measurement::*share>
  class Clocked {
   public:
    explicit Clocked(Stopwatch& watch) noexcept
        : watch_(watch), start_s_(watch.split_ ? watch.now_s_() : 0) {}
    ~Clocked() {
      if (watch_.split_) watch_.measured_.*share += watch_.now_s_() - start_s_;
    }
    Clocked(const Clocked&) = delete;
    Clocked& operator=(const Clocked&) = delete;

   private:
    Stopwatch& watch_;
    double start_s_;
  };
  using Communication = Clocked<&Measurement::communication_seconds>;
  using Wait = Clocked<&Measurement::wait_seconds>;

 private:
  double (*now_s_)();
  bool split_;
  double start_s_ = 0;
  Measurement measured_;
};

}  // namespace tasuki::apps
