// A descriptor by which one thread wakes another that polls.
//
// Thread-safety: any thread.
#pragma once

namespace tasuki::rpc {

class WakeUp {
 public:
  /// Throws tasuki::error if the system has no descriptor left.
  WakeUp();
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  /// Readable from notify() until clear().
  int descriptor() const noexcept { return descriptor_; }
  void notify() noexcept;
  void clear() noexcept;

 private:
  int descriptor_;
};

}  // namespace tasuki::rpc
