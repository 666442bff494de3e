// Futures as Python holds them: of whatever is under way in C++, with a value of Python.
//
// Made by the collectives, calls and remote memory operations of this folder.
// Thread-safety: the rank's own thread; the methods by a fiber that runs Python. Any thread of the
// program that runs Python may drop one.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <tasuki/future.hpp>
#include <utility>

#include "python/thread_state.hpp"

namespace tasuki::python {

/// What a future will give. It is made where nobody need run Python; the value follows from it when
/// somebody asks.
class Outcome {
 public:
  Outcome() = default;
  Outcome(const Outcome&) = delete;
  Outcome& operator=(const Outcome&) = delete;
  virtual ~Outcome() = default;
  /// Requires: the fiber runs Python. Throws what the value's making throws.
  virtual nanobind::object take() = 0;
};
/// nullptr: None.
using AnyOutcome = std::unique_ptr<Outcome>;

class PythonFuture {
 public:
  explicit PythonFuture(Future<AnyOutcome> future) : future_(std::move(future)) {}
  PythonFuture(const PythonFuture&) = delete;
  PythonFuture& operator=(const PythonFuture&) = delete;
  PythonFuture(PythonFuture&&) noexcept = default;
  PythonFuture& operator=(PythonFuture&&) noexcept = default;
  /// On another thread it leaves the future to the rank's.
  ~PythonFuture();

  bool ready() const { return future_.ready(); }
  bool valid() const { return future_.valid(); }
  void wait() const;
  /// Returns: false if it is not ready after `limit_s`.
  bool wait_for(double limit_s) const;
  nanobind::object get();
  PythonFuture then(nanobind::callable function);

  Future<AnyOutcome> release() { return std::move(future_); }
  /// What is said of who waits for it.
  void set_reason(const fiber::WaitReason& reason) { state()->set_reason(reason); }
  runtime::FutureCore* state() const noexcept { return future_.internal_state(); }

 private:
  Future<AnyOutcome> future_;
};

/// The future of something without a value that needs `held` until it is complete.
template <class Held>
PythonFuture future_holding(Future<void> future, Held held) {
  return PythonFuture(
      std::move(future).then([held = std::move(held)]() -> AnyOutcome { return nullptr; }));
}

void bind_futures(nanobind::module_& module);

}  // namespace tasuki::python
