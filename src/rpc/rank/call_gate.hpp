// Decides which calls of a lease a rank may begin, so that all ranks end the lease after the same
// one.
//
// The thread that runs routines asks before each call; the thread that listens to the front end
// passes on what that says. The gate answers even while a routine runs: a rank that waits inside it
// for another one could not. Thread-safety: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace tasuki::rpc {

class CallGate {
 public:
  using Clock = std::chrono::steady_clock;
  /// Tells the front end how many calls have begun.
  using Answer = std::function<void(std::int64_t calls_count)>;

  CallGate(Answer answer, Clock::time_point patience_end)
      : answer_(std::move(answer)), patience_end_(patience_end) {}

  /// A call has come. Returns: may it begin now? Not if the front end has been told that none will.
  bool begin();
  /// The front end wants the ranks back. It is answered at once; or with the first call, as a lease
  /// is worth something only if there is one, unless the client has gone.
  void hold(bool has_client_gone);
  /// The front end has heard all ranks: calls may begin up to this one.
  void end_after(std::int64_t last_call);
  /// Until when the front end waits for the first call; nothing if it does not.
  std::optional<Clock::time_point> patience() const;
  /// No first call has come in time: answers the front end.
  void lose_patience();

  /// May a call begin that has not come yet?
  bool is_open() const;
  /// Have all calls begun that may?
  bool is_over() const;
  std::int64_t calls_count() const;
  std::optional<std::int64_t> last_call() const;

 private:
  bool may_begin() const;
  void answer();

  const Answer answer_;
  const Clock::time_point patience_end_;
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::int64_t calls_count_ = 0;  ///< That have begun.
  bool is_to_hold_ = false;       ///< The front end has asked, and has no answer yet.
  bool holds_ = false;
  std::optional<std::int64_t> last_call_ = {};
};

}  // namespace tasuki::rpc
