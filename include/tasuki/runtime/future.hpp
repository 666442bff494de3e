// Futures: the result of something that is under way, to be waited for as a fiber.
//
// A `Future<T>` is held by one owner (move only) and used on the rank that got it. `get` waits and
// hands out the value or throws what the work threw; `then` chains a function; `when_all` and
// `when_any` join several. A `Promise<T>` is the other end.
//
// Thread-safety: none; both ends are used by fibers of one rank.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <tasuki/base/error.hpp>
#include <tasuki/fiber/wait_reason.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki {

template <class T>
class Future;

namespace runtime {

/// A fiber waiting for a FutureCore, on that fiber's stack.
struct WaitNode {
  void* fiber = nullptr;  ///< fiber::Fiber*
  WaitNode* previous = nullptr;
  WaitNode* next = nullptr;
  bool linked = false;
  bool timed_out = false;
};

/// Something to run when a future is fulfilled.
struct Continuation {
  virtual ~Continuation() = default;
  virtual void run() = 0;
  Continuation* next = nullptr;
};

/// The part of a future's state that does not depend on its type. Counted by hand: one rank, one
/// thread, no atomics.
class FutureCore {
 public:
  FutureCore() = default;
  FutureCore(const FutureCore&) = delete;
  FutureCore& operator=(const FutureCore&) = delete;
  virtual ~FutureCore();

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }
  bool done() const noexcept { return done_; }
  void wait();
  /// Returns: false if `deadline_ns` (monotonic) passed first.
  bool wait_until(std::int64_t deadline_ns);
  void on_done(Continuation* continuation);
  void complete();
  void fail(std::exception_ptr failure);
  void rethrow_failure() const {
    if (failure_) [[unlikely]] {
      std::rethrow_exception(failure_);
    }
  }
  const std::exception_ptr& failure() const noexcept { return failure_; }
  void set_reason(const fiber::WaitReason& reason) noexcept { reason_ = reason; }

 private:
  void link(WaitNode& node) noexcept;
  void unlink(WaitNode& node) noexcept;

  std::uint32_t references_ = 1;
  bool done_ = false;
  WaitNode* waiters_ = nullptr;
  Continuation* continuations_ = nullptr;
  std::exception_ptr failure_;
  fiber::WaitReason reason_{fiber::WaitKind::future};
};

template <class T>
class FutureState final : public FutureCore {
 public:
  template <class... Values>
  void set_value(Values&&... values) {
    value_.emplace(std::forward<Values>(values)...);
    complete();
  }
  T take() {
    rethrow_failure();
    return std::move(*value_);
  }
  T& value() { return *value_; }

 private:
  std::optional<T> value_;
};

template <>
class FutureState<void> final : public FutureCore {
 public:
  void set_value() { complete(); }
  void take() { rethrow_failure(); }
};

[[noreturn]] void throw_empty_future();
std::int64_t deadline_after_ns(std::int64_t duration_ns);

template <class T>
struct FutureAccess;

}  // namespace runtime

template <class T>
class Promise {
 public:
  Promise() : state_(new runtime::FutureState<T>) {}
  Promise(Promise&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Promise& operator=(Promise&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Promise() {
    if (state_ == nullptr) return;
    if (!state_->done()) {
      state_->fail(std::make_exception_ptr(
          error("waiting for a future", "its promise was dropped unfulfilled",
                "call set_value or set_failure before the promise goes out of scope")));
    }
    state_->release();
  }

  /// Requires: called once.
  Future<T> future() {
    state_->retain();
    return Future<T>(state_);
  }
  template <class... Values>
  void set_value(Values&&... values) {
    state_->set_value(std::forward<Values>(values)...);
  }
  void set_failure(std::exception_ptr failure) { state_->fail(std::move(failure)); }
  void set_reason(const fiber::WaitReason& reason) { state_->set_reason(reason); }

 private:
  runtime::FutureState<T>* state_;
};

template <class T>
class [[nodiscard]] Future {
 public:
  using value_type = T;

  Future() = default;
  /// Takes over one reference to `state`. For the library; users get futures from calls.
  explicit Future(runtime::FutureState<T>* state) noexcept : state_(state) {}
  Future(Future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Future& operator=(Future&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Future() {
    if (state_ != nullptr) state_->release();
  }

  bool valid() const noexcept { return state_ != nullptr; }
  /// Is the result there (or the failure)? Never waits.
  bool ready() const { return state().done(); }
  void wait() const { state().wait(); }
  /// Waits, then hands the value out; the future is empty afterwards.
  /// Throws what the work threw.
  T get() {
    state().wait();
    const Holder holder{std::exchange(state_, nullptr)};
    return holder.state->take();
  }
  /// Like `get`, but gives up after `limit`: returns an empty optional (false for void) and keeps
  /// the future usable.
  template <class Rep, class Period>
  auto get_for(std::chrono::duration<Rep, Period> limit) {
    const auto limit_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(limit).count();
    const bool in_time = state().wait_until(runtime::deadline_after_ns(limit_ns));
    if constexpr (std::is_void_v<T>) {
      if (in_time) get();
      return in_time;
    } else {
      return in_time ? std::optional<T>(get()) : std::nullopt;
    }
  }
  /// Runs `f(value)` when the value is there (at once if it already is) and returns the future of
  /// its result; failures pass through without calling `f`. `f` runs on the poller, or on whoever
  /// fulfils the future, and may wait. Consumes this future.
  template <class F>
  auto then(F f);

  runtime::FutureState<T>* internal_state() const noexcept { return state_; }

 private:
  struct Holder {
    runtime::FutureState<T>* state;
    ~Holder() { state->release(); }
  };
  runtime::FutureState<T>& state() const {
    if (state_ == nullptr) [[unlikely]] {
      runtime::throw_empty_future();
    }
    return *state_;
  }

  runtime::FutureState<T>* state_ = nullptr;
};

namespace runtime {

template <class F, class T>
struct ThenResult {
  using type = std::invoke_result_t<F, T>;
};
template <class F>
struct ThenResult<F, void> {
  using type = std::invoke_result_t<F>;
};

template <class T, class F, class Result>
class ThenContinuation final : public Continuation {
 public:
  ThenContinuation(Future<T> source, F f) : source_(std::move(source)), f_(std::move(f)) {}
  Future<Result> future() { return promise_.future(); }
  void run() override {
    try {
      if constexpr (std::is_void_v<T>) {
        source_.get();
        fulfil([&]() -> Result { return f_(); });
      } else {
        fulfil([&]() -> Result { return f_(source_.get()); });
      }
    } catch (...) {
      promise_.set_failure(std::current_exception());
    }
  }

 private:
  template <class Call>
  void fulfil(Call call) {
    if constexpr (std::is_void_v<Result>) {
      call();
      promise_.set_value();
    } else {
      promise_.set_value(call());
    }
  }
  Future<T> source_;
  F f_;
  Promise<Result> promise_;
};

}  // namespace runtime

template <class T>
template <class F>
auto Future<T>::then(F f) {
  using Result = typename runtime::ThenResult<F, T>::type;
  runtime::FutureState<T>& source = state();
  auto* continuation = new runtime::ThenContinuation<T, F, Result>(std::move(*this), std::move(f));
  Future<Result> result = continuation->future();
  source.on_done(continuation);
  return result;
}

/// A future that is ready from the start.
template <class T>
Future<std::decay_t<T>> ready_future(T&& value) {
  Promise<std::decay_t<T>> promise;
  promise.set_value(std::forward<T>(value));
  return promise.future();
}
inline Future<void> ready_future() {
  Promise<void> promise;
  promise.set_value();
  return promise.future();
}

/// Waits for all; the result is the tuple of their values (std::monostate for void), or the failure
/// of the first that failed, in argument order.
template <class... Ts>
auto when_all(Future<Ts>... futures) {
  using Tuple = std::tuple<std::conditional_t<std::is_void_v<Ts>, std::monostate, Ts>...>;
  struct Shared final : runtime::Continuation {
    explicit Shared(Future<Ts>... all) : held(std::move(all)...) {}
    std::tuple<Future<Ts>...> held;
    Promise<Tuple> promise;
    std::size_t missing = sizeof...(Ts);
    void run() override {
      if (--missing != 0) return;
      try {
        promise.set_value(std::apply(
            [](auto&... all) {
              return Tuple{[&] {
                if constexpr (std::is_void_v<typename std::decay_t<decltype(all)>::value_type>) {
                  all.get();
                  return std::monostate{};
                } else {
                  return all.get();
                }
              }()...};
            },
            held));
      } catch (...) {
        promise.set_failure(std::current_exception());
      }
    }
  };
  struct Forward final : runtime::Continuation {
    explicit Forward(std::shared_ptr<Shared> to) : shared(std::move(to)) {}
    std::shared_ptr<Shared> shared;
    void run() override { shared->run(); }
  };
  if (!(futures.valid() && ...)) runtime::throw_empty_future();
  auto shared = std::make_shared<Shared>(std::move(futures)...);
  Future<Tuple> result = shared->promise.future();
  if constexpr (sizeof...(Ts) == 0) {
    shared->promise.set_value();
  } else {
    std::apply([&](auto&... all) { (all.internal_state()->on_done(new Forward(shared)), ...); },
               shared->held);
  }
  return result;
}

/// Waits for all of a row of futures of one type.
template <class T>
auto when_all(std::vector<Future<T>> futures) {
  using Values = std::conditional_t<std::is_void_v<T>, std::monostate, std::vector<T>>;
  using Result = std::conditional_t<std::is_void_v<T>, void, std::vector<T>>;
  struct Shared {
    std::vector<Future<T>> held;
    Promise<Result> promise;
    std::size_t missing = 0;
    void one_done() {
      if (--missing != 0) return;
      try {
        if constexpr (std::is_void_v<T>) {
          for (auto& future : held) future.get();
          promise.set_value();
        } else {
          Values values;
          values.reserve(held.size());
          for (auto& future : held) values.push_back(future.get());
          promise.set_value(std::move(values));
        }
      } catch (...) {
        promise.set_failure(std::current_exception());
      }
    }
  };
  struct Forward final : runtime::Continuation {
    explicit Forward(std::shared_ptr<Shared> to) : shared(std::move(to)) {}
    std::shared_ptr<Shared> shared;
    void run() override { shared->one_done(); }
  };
  for (const Future<T>& future : futures) {
    if (!future.valid()) runtime::throw_empty_future();
  }
  auto shared = std::make_shared<Shared>();
  shared->held = std::move(futures);
  shared->missing = shared->held.size() + 1;
  Future<Result> result = shared->promise.future();
  for (auto& future : shared->held) future.internal_state()->on_done(new Forward(shared));
  shared->one_done();
  return result;
}

/// The index of the first that is ready; the futures stay with the caller, who gets their values
/// from there. Empty ones, whose value was already taken, are left out. Throws tasuki::error if
/// all are empty.
template <class T>
Future<std::size_t> when_any(std::vector<Future<T>>& futures) {
  struct Shared {
    Promise<std::size_t> promise;
    bool done = false;
  };
  struct Forward final : runtime::Continuation {
    Forward(std::shared_ptr<Shared> to, std::size_t at) : shared(std::move(to)), index(at) {}
    std::shared_ptr<Shared> shared;
    std::size_t index;
    void run() override {
      if (!std::exchange(shared->done, true)) shared->promise.set_value(index);
    }
  };
  auto shared = std::make_shared<Shared>();
  Future<std::size_t> result = shared->promise.future();
  bool any_valid = false;
  for (std::size_t i = 0; i < futures.size(); ++i) {
    if (!futures[i].valid()) continue;
    any_valid = true;
    futures[i].internal_state()->on_done(new Forward(shared, i));
  }
  if (!any_valid) runtime::throw_empty_future();
  return result;
}

}  // namespace tasuki
