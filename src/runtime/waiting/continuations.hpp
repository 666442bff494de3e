// What fulfilled futures start on one rank: their continuations, each run once.
//
// Whoever fulfils a future runs its continuations in a loop. One that waits takes the fiber away
// from those behind it, so the poller runs these. The world owns one object; FutureCore fills it.
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/future.hpp>

namespace tasuki::runtime {

class Continuations {
 public:
  /// What a fiber does that runs them.
  static constexpr fiber::Activity activity{.label = "a continuation"};

  /// Runs those of `list`, on the calling fiber, until it is empty: in the order of nested calls,
  /// but without them, for what a continuation has fulfilled comes next.
  void run(ContinuationLink& list);
  /// The same for one that is in no list: nothing is left if it waits.
  void run_one(Continuation& continuation) {
    ++running_count_;
    if (FutureCore* const fulfilled = continuation.run()) {
      if (fulfilled->finish()) {
        run_all_of(*fulfilled);
      } else {
        fulfilled->release();
      }
    }
    --running_count_;
  }
  /// The same for what is of no list and fulfils nothing.
  template <class Function>
  void run_alone(Function function) {
    ++running_count_;
    function();
    --running_count_;
  }
  /// Empties `list`; the poller runs what was in it.
  void leave_to_poller(ContinuationLink& list) noexcept { list.move_before(left_); }
  /// To be called before the running fiber lets others run.
  void before_switch() noexcept {
    if (innermost_ != nullptr) [[unlikely]] {
      leave_running_to_poller();
    }
  }
  bool is_any_left() const noexcept { return !left_.is_alone(); }
  /// Runs what was left to the poller.
  /// Returns: false as soon as one of them has waited, so that the caller is not the poller now.
  bool run_left(const fiber::Scheduler& scheduler);
  /// What is being run, and what is left to the poller: the job does not end before that is done.
  std::size_t unfinished_count() const noexcept;

 private:
  /// A list that is being run on the running fiber's stack.
  struct Run {
    ContinuationLink& list;
    Run* outer;  ///< The continuation that fulfils these futures is itself of that run.
  };

  /// Requires: it is finished. Releases it.
  void run_all_of(FutureCore& fulfilled);
  void leave_running_to_poller() noexcept;

  Run* innermost_ = nullptr;
  ContinuationLink left_;
  std::size_t running_count_ = 0;  ///< Lists.
};

}  // namespace tasuki::runtime
