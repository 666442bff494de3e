// The call that a called function serves, kept for a part of its work that is done later.
//
// Used where a function that was called by `post` must not do its work yet, and another one does it
// when it may: a container that is being iterated over, for example. For the job the call is done
// when its function has returned: `quiesce` does not wait for what is kept.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/calls/call_failure.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>

namespace tasuki {

/// Example:
///     static std::vector<tasuki::ServedCall> kept;
///     tasuki::post(0, [] { kept.emplace_back(); });
///     tasuki::quiesce();
///     for (const tasuki::ServedCall& call : kept) {
///       call.go_on([] { std::printf("called by rank %d\n", tasuki::caller()); });
///     }
///     kept.clear();
class ServedCall {
 public:
  /// That of the running function. Throws tasuki::error if no other rank has called it.
  ServedCall() : activity_(runtime::Waits::current().activity()) { caller(); }

  /// Runs `f()` as the function that was called: `caller()` is who has called it, and an exception
  /// ends the job, as that of a one-way call does.
  template <class F>
  void go_on(F f) const noexcept {
    runtime::Waits& waits = runtime::Waits::current();
    const fiber::Activity before = waits.activity();
    waits.set_activity(activity_);
    try {
      f();
    } catch (...) {
      runtime::one_way_call_failed(runtime::Rank::current(), activity_.caller_rank,
                                   activity_.function);
    }
    waits.set_activity(before);
  }

 private:
  fiber::Activity activity_;
};

}  // namespace tasuki
