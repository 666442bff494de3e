// Something that happens once and that fibers wait for, also when it has happened already; and the
// completion of the transport that is such an event.
//
// Used by whoever hands memory to the transport and must not go on before it is free again. Lives
// on the stack of a fiber that waits for it. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::runtime {

class Event {
 public:
  bool has_happened() const noexcept { return has_happened_; }
  void wait(const fiber::WaitReason& reason) noexcept {
    if (has_happened_) return;
    Waiter waiter;
    Waits::current().wait_in(waiters_, waiter, reason);
  }
  void happen() {
    has_happened_ = true;
    if (!waiters_.empty()) Waits::current().wake_all(waiters_);
  }

 private:
  bool has_happened_ = false;
  WaitQueue<> waiters_;
};

struct AwaitedCompletion : transport::Completion, Event {
  AwaitedCompletion() {
    done = [](transport::Completion* self) { static_cast<AwaitedCompletion*>(self)->happen(); };
  }
};

}  // namespace tasuki::runtime
