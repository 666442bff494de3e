// The call whose routine runs now, for what a routine asks about its arguments.
//
// Set by the server of calls, read by the functions of tasuki/routines.h. Thread-safety: set by the
// thread that runs routines while none runs; read and failed by any thread of a routine.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tasuki::rpc {

class CallMemory;
class CallbackCaller;

class CurrentCall {
 public:
  /// Requires: `memory` outlives it. `object` is the number of the object whose method runs, or 0.
  /// `callbacks` is nullptr if the client's functions cannot be called.
  CurrentCall(CallMemory& memory, std::int64_t object, CallbackCaller* callbacks) noexcept;
  ~CurrentCall();
  CurrentCall(const CurrentCall&) = delete;
  CurrentCall& operator=(const CurrentCall&) = delete;

  /// Returns: nullptr if no routine runs.
  static CurrentCall* get() noexcept;

  CallMemory& memory() const noexcept { return memory_; }
  std::int64_t object() const noexcept { return object_; }
  /// Calls a function of the client. If that is impossible the call fails; once it has failed,
  /// nothing is called.
  void call_back(const char* name, void* const* arguments);
  /// Keeps the first reason.
  void fail(std::string happened);
  std::optional<std::string> failure() const;

 private:
  CallMemory& memory_;
  std::int64_t object_;
  CallbackCaller* callbacks_;
  std::thread::id thread_ = std::this_thread::get_id();
  mutable std::mutex mutex_;
  std::optional<std::string> failure_;
};

}  // namespace tasuki::rpc
