// Futures: the result of something that is under way, to be waited for as a fiber.
//
// A `Future<T>` is held by one owner (move only) and used on the rank that got it. `get` waits and
// hands out the value or throws what the work threw; `then` chains a function; `when_all` and
// `when_any` join several. A `Promise<T>` is the other end.
//
// Thread-safety: none; both ends are used by fibers of one rank.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <tasuki/detail/runtime/waiting/wait_queue.hpp>
#include <tasuki/error.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki {

template <class T>
class Future;

namespace runtime {

class FutureCore;

/// A link of a circular list.
struct ContinuationLink {
  ContinuationLink* previous = this;
  ContinuationLink* next = this;
  ContinuationLink() = default;
  ContinuationLink(const ContinuationLink&) = delete;
  ContinuationLink& operator=(const ContinuationLink&) = delete;

  bool is_alone() const noexcept { return next == this; }
  void unlink() noexcept {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
  /// Puts `link`, which is alone, before this one.
  void insert_before(ContinuationLink& link) noexcept {
    link.previous = previous;
    link.next = this;
    previous->next = &link;
    previous = &link;
  }
  /// Puts all of this list, which is empty then, before `place`, which is no part of it.
  void move_before(ContinuationLink& place) noexcept {
    if (is_alone()) return;
    next->previous = place.previous;
    previous->next = &place;
    place.previous->next = next;
    place.previous = previous;
    previous = next = this;
  }
};

/// Something to run when a future is fulfilled. It belongs to that future until one of the two is
/// called, once; then to itself. Who unlinks it before has it back.
struct Continuation : ContinuationLink {
  /// Returns: a state that got its value by this and is now to be completed by the caller, with a
  /// reference that goes over to it; or nullptr. So a long chain is run in a loop.
  virtual FutureCore* run() = 0;
  /// The future went away unfulfilled.
  virtual void discard() noexcept = 0;

 protected:
  ~Continuation() = default;
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
  /// The value or the failure is there: wakes who waits, runs the continuations. When one of them
  /// waits, the poller runs those behind it.
  void complete();
  /// The same, but the poller runs all of them: for completions of the transport, which is in the
  /// middle of its work and may be progressed by a fiber that waits for something else.
  void complete_by_poller();
  /// The same in two steps, without running anything: the continuations are put into `to_run`.
  void finish(ContinuationLink& to_run);
  void set_failure(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }
  void fail(std::exception_ptr failure) {
    set_failure(std::move(failure));
    complete();
  }
  void rethrow_failure() const {
    if (failure_) [[unlikely]] {
      std::rethrow_exception(failure_);
    }
  }
  const std::exception_ptr& failure() const noexcept { return failure_; }
  void set_reason(const fiber::WaitReason& reason) noexcept { reason_ = reason; }
  const fiber::WaitReason& reason() const noexcept { return reason_; }

 private:
  std::uint32_t references_ = 1;
  bool done_ = false;
  WaitQueue<> waiters_;
  ContinuationLink continuations_;
  std::exception_ptr failure_;
  fiber::WaitReason reason_{fiber::WaitKind::future};
};

template <class T>
class FutureState final : public FutureCore {
 public:
  template <class... Values>
  void put(Values&&... values) {
    value_.emplace(std::forward<Values>(values)...);
  }
  template <class... Values>
  void set_value(Values&&... values) {
    put(std::forward<Values>(values)...);
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
  void put() {}
  void set_value() { complete(); }
  void take() { rethrow_failure(); }
};

[[noreturn]] void throw_empty_future();
[[noreturn]] void throw_fulfilled_twice();
/// Returns: the monotonic time then, as late as there is any if that is beyond.
std::int64_t deadline_after_ns(std::int64_t duration_ns);

/// In nanoseconds, as many as there are at most: 292 years.
template <class Rep, class Period>
std::int64_t saturated_ns(std::chrono::duration<Rep, Period> duration) {
  constexpr double most_s = 9e9;
  const double duration_s = std::chrono::duration<double>(duration).count();
  if (duration_s >= most_s) return std::numeric_limits<std::int64_t>::max();
  if (!(duration_s > 0)) return 0;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

template <class T>
struct FutureAccess;

}  // namespace runtime

/// The other end of a future: who holds it gives the value. Example: examples/futures.cpp
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
  /// This and `set_failure` throw tasuki::error if the promise is fulfilled or was moved from.
  ///     tasuki::Promise<int> promise;
  ///     promise.set_failure(std::make_exception_ptr(std::runtime_error("no answer")));
  template <class... Values>
  void set_value(Values&&... values) {
    require_open();
    state_->set_value(std::forward<Values>(values)...);
  }
  void set_failure(std::exception_ptr failure) {
    require_open();
    state_->fail(std::move(failure));
  }
  /// For the library: gives it the state with its reference. The promise is void afterwards.
  runtime::FutureState<T>* release_state() noexcept { return std::exchange(state_, nullptr); }
  /// For the library: what the hang report says of who waits.
  void set_reason(const fiber::WaitReason& reason) { state_->set_reason(reason); }

 private:
  void require_open() const {
    if (state_ == nullptr || state_->done()) [[unlikely]] {
      runtime::throw_fulfilled_twice();
    }
  }
  runtime::FutureState<T>* state_;
};

/// A value that comes later, or an exception. Example: examples/futures.cpp
///     auto answer = tasuki::ainvoke(0, [] { return 42; });
///     if (!answer.ready()) answer.wait();  // as get() does
///     const int value = answer.get();      // afterwards answer.valid() is false
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
    runtime::FutureState<T>& awaited = state();
    awaited.wait();
    return take(awaited);
  }
  /// Like `get`, but gives up after `limit`: returns an empty optional (false for void) and keeps
  /// the future usable.
  template <class Rep, class Period>
  auto get_for(std::chrono::duration<Rep, Period> limit) {
    const std::int64_t deadline_ns = runtime::deadline_after_ns(runtime::saturated_ns(limit));
    runtime::FutureState<T>& awaited = state();
    const bool in_time = awaited.wait_until(deadline_ns);
    if constexpr (std::is_void_v<T>) {
      if (in_time) take(awaited);
      return in_time;
    } else {
      return in_time ? std::optional<T>(take(awaited)) : std::nullopt;
    }
  }
  /// Runs `f(value)` when the value is there (at once if it already is) and returns the future of
  /// its result; failures pass through without calling `f`. `f` runs on the poller, or on whoever
  /// fulfils the future, and may wait; other continuations then go on without it. Consumes this
  /// future.
  template <class F>
  auto then(F f);

  /// For the library.
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
  /// Another fiber may have taken the value while this one waited, and have put another future here
  /// since.
  T take(const runtime::FutureState<T>& awaited) {
    if (state_ != &awaited || !awaited.done()) [[unlikely]] {
      runtime::throw_empty_future();
    }
    const Holder holder{std::exchange(state_, nullptr)};
    return holder.state->take();
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

/// Returns: the promise's state, which has what `make` returned or threw and is to be completed.
template <class T, class Make>
FutureState<T>* put_outcome(Promise<T>& promise, Make make) {
  FutureState<T>* const state = promise.release_state();
  try {
    if constexpr (std::is_void_v<T>) {
      make();
    } else {
      state->put(make());
    }
  } catch (...) {
    state->set_failure(std::current_exception());
  }
  return state;
}

template <class T, class F, class Result>
class ThenContinuation final : public Continuation {
 public:
  ThenContinuation(Future<T> source, F f) : source_(std::move(source)), f_(std::move(f)) {}
  Future<Result> future() { return promise_.future(); }
  FutureCore* run() override {
    const std::unique_ptr<ThenContinuation> self(this);
    return put_outcome(promise_, [this]() -> Result {
      if constexpr (std::is_void_v<T>) {
        source_.get();
        return f_();
      } else {
        return f_(source_.get());
      }
    });
  }
  void discard() noexcept override { delete this; }

 private:
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
///     tasuki::Future<int> seven = tasuki::ready_future(7);
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

namespace runtime {

/// Completes what a continuation returned. nullptr: nothing.
void complete(FutureCore* state);

/// What futures awaited together share: `take` makes their values one.
template <class Take>
struct AllDone {
  using Result = std::invoke_result_t<Take&>;
  Take take;
  std::size_t missing_count;
  Promise<Result> promise{};
  FutureCore* one_done() {
    return --missing_count == 0 ? put_outcome(promise, std::ref(take)) : nullptr;
  }
};

/// Tells what all share that one is done.
template <class Take>
class OneDone final : public Continuation {
 public:
  explicit OneDone(std::shared_ptr<AllDone<Take>> all) : all_(std::move(all)) {}
  FutureCore* run() override {
    const std::unique_ptr<OneDone> self(this);
    return all_->one_done();
  }
  void discard() noexcept override { delete this; }

 private:
  std::shared_ptr<AllDone<Take>> all_;
};

/// The future of what `take` returns once all `states` are done; `take` holds their futures.
template <class Take>
auto after_all(std::span<FutureCore* const> states, Take take) {
  // One more, so that it is not done before all know of it.
  auto all = std::make_shared<AllDone<Take>>(std::move(take), states.size() + 1);
  auto result = all->promise.future();
  for (FutureCore* const state : states) state->on_done(new OneDone<Take>(all));
  complete(all->one_done());
  return result;
}

/// The value of a future, which std::tuple can hold.
template <class T>
auto take_value(Future<T>& future) {
  if constexpr (std::is_void_v<T>) {
    future.get();
    return std::monostate{};
  } else {
    return future.get();
  }
}

/// The index of the first state that is completed; null ones are left out. Throws tasuki::error if
/// all are null.
Future<std::size_t> first_done(const std::vector<FutureCore*>& states);

}  // namespace runtime

/// Waits for all; the result is the tuple of their values (std::monostate for void), or the failure
/// of the first that failed, in argument order.
///     auto both = tasuki::when_all(tasuki::ready_future(1), tasuki::ready_future(2.5));
///     const auto [one, more] = both.get();
template <class... Ts>
auto when_all(Future<Ts>... futures) {
  using Values = std::tuple<decltype(runtime::take_value(futures))...>;
  if (!(futures.valid() && ...)) runtime::throw_empty_future();
  const std::array<runtime::FutureCore*, sizeof...(Ts)> states = {futures.internal_state()...};
  return runtime::after_all(states, [held = std::tuple(std::move(futures)...)]() mutable {
    return std::apply([](auto&... all) { return Values{runtime::take_value(all)...}; }, held);
  });
}

/// Waits for all of a row of futures of one type. Example: examples/futures.cpp
template <class T>
auto when_all(std::vector<Future<T>> futures) {
  std::vector<runtime::FutureCore*> states;
  for (const Future<T>& future : futures) {
    if (!future.valid()) runtime::throw_empty_future();
    states.push_back(future.internal_state());
  }
  return runtime::after_all(states, [held = std::move(futures)]() mutable {
    if constexpr (std::is_void_v<T>) {
      for (auto& future : held) future.get();
    } else {
      std::vector<T> values;
      values.reserve(held.size());
      for (auto& future : held) values.push_back(future.get());
      return values;
    }
  });
}

/// The index of the first that is ready; the futures stay with the caller, who gets their values
/// from there. Empty ones, whose value was already taken, are left out. Throws tasuki::error if
/// all are empty.
///     std::vector<tasuki::Future<int>> answers;
///     for (int i = 0; i < 3; ++i) answers.push_back(tasuki::ainvoke(0, [] { return 42; }));
///     const int first = answers[tasuki::when_any(answers).get()].get();
template <class T>
Future<std::size_t> when_any(std::vector<Future<T>>& futures) {
  std::vector<runtime::FutureCore*> states(futures.size());
  for (std::size_t i = 0; i < futures.size(); ++i) {
    if (futures[i].valid() && futures[i].ready()) return ready_future(i);
    states[i] = futures[i].internal_state();
  }
  return runtime::first_done(states);
}

}  // namespace tasuki
