// Futures: the result of something that is under way, to be waited for as a fiber.
//
// A `Future<T>` is held by one owner (move only) and used on the rank that got it. `get` waits and
// hands out the value or throws what the work threw; `then` chains a function; `co_await` waits in
// a coroutine; when_all.hpp joins several. A `Promise<T>` is the other end. What the work threw is
// never lost: if a future is dropped with it, it is reported, and the job ends.
//
// Thread-safety: none; both ends are used by fibers of one rank.
#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <tasuki/detail/runtime/waiting/future_coroutine.hpp>
#include <tasuki/detail/runtime/waiting/future_state.hpp>
#include <tasuki/detail/runtime/waiting/small_state.hpp>
#include <tasuki/error.hpp>
#include <type_traits>
#include <utility>

namespace tasuki {

template <class T>
class Future;

namespace runtime {

[[noreturn]] void throw_empty_future();
[[noreturn]] void throw_fulfilled_twice();
/// Returns: the monotonic time then, as late as there is any if that is beyond.
std::int64_t deadline_after_ns(std::int64_t duration_ns);

/// A std::chrono::duration. Who has one includes <chrono>, which takes as long to compile as half
/// of this library.
template <class T>
concept Duration = requires(const T& duration) {
  static_cast<long double>(duration.count());
  T::period::num;
  T::period::den;
};

/// In nanoseconds, as many as there are at most: 292 years.
template <Duration Limit>
std::int64_t saturated_ns(const Limit& duration) {
  constexpr long double most_ns = 9e18L;
  constexpr long double period_ns = 1e9L * Limit::period::num / Limit::period::den;
  const long double duration_ns = static_cast<long double>(duration.count()) * period_ns;
  if (duration_ns >= most_ns) return std::numeric_limits<std::int64_t>::max();
  return duration_ns > 0 ? static_cast<std::int64_t>(duration_ns) : 0;
}

/// What a future is whatever its type: one reference to a state. So the compiler makes it once.
class FutureOwner {
 protected:
  FutureOwner() = default;
  explicit FutureOwner(FutureCore* state) noexcept : state_(state) {}
  FutureOwner(FutureOwner&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  FutureOwner& operator=(FutureOwner&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~FutureOwner() {
    if (state_ != nullptr) state_->drop();
  }
  FutureCore& state() const {
    if (state_ == nullptr) [[unlikely]] {
      throw_empty_future();
    }
    return *state_;
  }
  /// Gives the reference away, of a state that has been waited for. Throws what the work threw.
  FutureCore* take_done(const FutureCore& awaited);
  /// Waits before.
  FutureCore* take_when_done() {
    if (state_ != nullptr && state_->has_succeeded()) return std::exchange(state_, nullptr);
    return wait_and_take();
  }

  FutureCore* state_ = nullptr;

 private:
  FutureCore* wait_and_take();
};

/// Lets a reference go at the end.
struct HeldState {
  FutureCore* state;
  ~HeldState() { state->release(); }
};

/// Waits for a state that nobody else waits for, and gives the reference back. Throws what the work
/// threw, and lets the reference go then.
FutureCore* wait_for_answer(FutureCore* state);
/// The value of such a state, which nobody reads either. What `Future<T>::get` does, with less for
/// the compiler to do for each T.
template <class T>
T take_answer(FutureCore* state) {
  const HeldState held{wait_for_answer(state)};
  if constexpr (SmallValue<T>) {
    return take_value<T>(*held.state);
  } else {
    return static_cast<T&&>(static_cast<TypedCore*>(held.state)->value<T>());
  }
}

}  // namespace runtime

/// The other end of a future: who holds it gives the value. Example: examples/futures.cpp
template <class T>
class Promise {
 public:
  Promise() : state_(new runtime::FutureState<T>) {}
  /// Takes over one reference to `state`, which is a FutureState<T>. For the library.
  explicit Promise(runtime::FutureCore* state) noexcept : state_(state) {}
  Promise(Promise&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Promise& operator=(Promise&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Promise() {
    if (state_ == nullptr) return;
    if (!state_->done() && state_->is_awaited()) {
      state_->mark_heard();  // Nobody threw it.
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
  ///     auto answer = promise.future().then([](int value) { return value + 1; });
  ///     promise.set_failure(std::make_exception_ptr(std::runtime_error("no answer")));
  ///     try {
  ///       answer.get();
  ///     } catch (const std::runtime_error& failure) {
  ///       std::puts(failure.what());
  ///     }
  template <class... Values>
  void set_value(Values&&... values) {
    require_open();
    runtime::put_value<T>(*state_, std::forward<Values>(values)...);
    state_->complete();
  }
  void set_failure(std::exception_ptr failure) {
    require_open();
    state_->fail(std::move(failure));
  }
  /// For the library: gives it the state with its reference. The promise is void afterwards.
  runtime::FutureCore* release_state() noexcept { return std::exchange(state_, nullptr); }
  runtime::FutureCore* internal_state() const noexcept { return state_; }
  /// For the library: what the hang report says of who waits.
  void set_reason(const fiber::WaitReason& reason) { state_->set_reason(reason); }

 private:
  void require_open() const {
    if (state_ == nullptr || state_->done()) [[unlikely]] {
      runtime::throw_fulfilled_twice();
    }
  }
  runtime::FutureCore* state_;
};

/// A value that comes later, or an exception. Example: examples/futures.cpp
///     auto answer = tasuki::ainvoke(0, [] { return 42; });
///     if (!answer.ready()) answer.wait();  // as get() does
///     const int value = answer.get();      // afterwards answer.valid() is false
/// A function that returns a Future may be a coroutine: co_await on a future takes its value like
/// get(), and needs no stack while it waits. Example: examples/coroutines.cpp
template <class T>
class [[nodiscard]] Future : private runtime::FutureOwner {
 public:
  using value_type = T;
  using promise_type = runtime::Coroutine<T>;

  Future() = default;
  /// Takes over one reference to `state`, which is a FutureState<T>. For the library; users get
  /// futures from calls.
  explicit Future(runtime::FutureCore* state) noexcept : FutureOwner(state) {}
  Future(Future&& other) noexcept = default;
  Future& operator=(Future&& other) noexcept = default;
  /// The work goes on. A failure that nobody has got by then is reported, and ends the job.
  ~Future() = default;

  bool valid() const noexcept { return state_ != nullptr; }
  /// Is the result there (or the failure)? Never waits.
  bool ready() const { return state().done(); }
  void wait() const { state().wait(); }
  /// Waits, then hands the value out; the future is empty afterwards.
  /// Throws what the work threw.
  T get() {
    const runtime::HeldState held{take_when_done()};
    return runtime::take_value<T>(*held.state);
  }
  /// Like `get`, but gives up after `limit`, a std::chrono::duration: returns an empty optional
  /// (false for void) and keeps the future usable.
  template <runtime::Duration Limit>
  auto get_for(const Limit& limit) {
    const std::int64_t deadline_ns = runtime::deadline_after_ns(runtime::saturated_ns(limit));
    runtime::FutureCore& awaited = state();
    const bool in_time = awaited.wait_until(deadline_ns);
    if constexpr (std::is_void_v<T>) {
      if (in_time) take(awaited);
      return in_time;
    } else {
      return in_time ? std::optional<T>(take(awaited)) : std::nullopt;
    }
  }
  /// Runs `f(value)` when the value is there (at once if it already is). Returns: the future of its
  /// result; if `f` returns a future itself, of what that one will have. Failures pass through
  /// without calling `f`. `f` runs on the poller, or on whoever fulfils this future, and may wait;
  /// other continuations then go on without it.
  ///     auto answer = tasuki::ainvoke(0, [] { return 42; });
  ///     auto more = answer.then([](int value) { return value + 1; });
  ///     std::printf("%d %d\n", answer.get(), more.get());
  /// A future with a name stays as it is, and `f` gets its value as a const reference. One without
  /// (or std::move(future)) gives its value away.
  template <class F>
  auto then(F f) &;
  template <class F>
  auto then(F f) &&;

  /// For the library.
  runtime::FutureCore* internal_state() const noexcept { return state_; }
  /// For the library: gives it the state with its reference. The future is empty afterwards.
  runtime::FutureCore* release_state() noexcept { return std::exchange(state_, nullptr); }

 private:
  T take(const runtime::FutureCore& awaited) {
    const runtime::HeldState held{take_done(awaited)};
    return runtime::take_value<T>(*held.state);
  }
};

namespace runtime {

/// The value of a future that stays with its owner: what a continuation holds of it.
template <class T>
class Shared {
 public:
  explicit Shared(FutureCore& state) noexcept : state_(&state) {
    static_assert(
        std::is_void_v<T> || std::is_copy_constructible_v<T>,
        "tasuki: then and when_all leave a future with a name as it is, so its value must "
        "be copyable. Give the future away: std::move(future).");
    state.retain();
    let_read<T>(state);
  }
  Shared(Shared&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Shared& operator=(Shared&&) = delete;
  ~Shared() {
    if (state_ == nullptr) return;
    state_->remove_reader();
    state_->release();
  }
  FutureCore* internal_state() const noexcept { return state_; }
  /// Requires: done, without a failure.
  std::add_lvalue_reference_t<const T> get() const {
    if constexpr (!std::is_void_v<T>) return value_in<T>(*state_);
  }

 private:
  FutureCore* state_;
};

/// The value of a future that was given away: what a continuation holds of it.
template <class T>
class Given {
 public:
  explicit Given(Future<T> future) noexcept : state_(future.release_state()) {}
  Given(Given&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Given& operator=(Given&&) = delete;
  ~Given() {
    if (state_ != nullptr) state_->drop();
  }
  FutureCore* internal_state() const noexcept { return state_; }
  /// Requires: done, without a failure; called once.
  T get() {
    const HeldState held{std::exchange(state_, nullptr)};
    return take_value<T>(*held.state);
  }

 private:
  FutureCore* state_;
};

template <class T>
inline constexpr bool is_future = false;
template <class T>
inline constexpr bool is_future<Future<T>> = true;

/// What comes out of a function in the end: of a future, what that one will have.
template <class Result>
struct Outcome {
  using type = Result;
};
template <class T>
struct Outcome<Future<T>> {
  using type = T;
};

/// Calls `make`, and gives its result to `state`, which is to be completed then.
template <class T, class Make>
FutureCore* put_result(FutureCore* state, Make make) {
  try {
    if constexpr (std::is_void_v<T>) {
      make();
    } else {
      put_value<T>(*state, make());
    }
  } catch (...) {
    state->set_failure(std::current_exception());
  }
  return state;
}

/// Gives a promise what another future has.
template <class T>
class PassedOn final : public Continuation, public Recycled {
 public:
  /// Returns: the state of `promise` if it has its value now and is to be completed; or nullptr.
  static FutureCore* pass(Future<T> from, Promise<T> promise) {
    FutureCore* const source = from.internal_state();
    const bool is_done = source->done();
    FutureCore* const to = promise.internal_state();
    auto* const passed_on = new PassedOn(std::move(from), std::move(promise));
    if (is_done) return passed_on->run();
    to->follow(source);
    source->on_done(passed_on);
    return nullptr;
  }
  PassedOn(Future<T> from, Promise<T> promise)
      : from_(std::move(from)), promise_(std::move(promise)) {}
  FutureCore* run() override {
    const std::unique_ptr<PassedOn> self(this);
    FutureCore* const to = promise_.release_state();
    to->follow(nullptr);
    FutureCore& from = *from_.internal_state();
    if (!from.has_failed()) return put_result<T>(to, [this] { return from_.get(); });
    to->take_failure_of(from);
    return to;
  }
  void discard() noexcept override {
    promise_.internal_state()->follow(nullptr);
    delete this;
  }

 private:
  Future<T> from_;
  Promise<T> promise_;
};

/// The address that names F in messages to people: the function itself where there is one, else one
/// that has F in its name.
template <class F>
std::uintptr_t name_address(const F& f, std::uintptr_t code) noexcept {
  if constexpr (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>) {
    return reinterpret_cast<std::uintptr_t>(f);
  } else {
    return code;
  }
}

/// The state of the future that `then` returns, which runs F when the value of its source is there.
/// F first: it names the continuation in messages. Source: a Given or a Shared.
template <class F, class Source, class... Value>
class ThenContinuation final
    : public FutureState<typename Outcome<std::invoke_result_t<F&, Value...>>::type>,
      public Continuation {
 public:
  using Result = std::invoke_result_t<F&, Value...>;
  using T = typename Outcome<Result>::type;

  ThenContinuation(Source source, F f)
      : FutureState<T>(&destroy), work_(Work{std::move(source), std::move(f)}) {
    this->follow(work_->source.internal_state());
  }
  Future<T> future() {
    this->retain();
    return Future<T>(this);
  }
  FutureCore* run() override {
    const Ended ended{*this};
    FutureCore& source = *work_->source.internal_state();
    if (source.has_failed()) {
      this->follow(nullptr);
      this->take_failure_of(source);
      return this;
    }
    this->set_reason_of_all({fiber::WaitKind::future, -1, nullptr,
                             name_address(work_->f, reinterpret_cast<std::uintptr_t>(&call))});
    if constexpr (is_future<Result>) {
      Future<T> inner = called_safely();
      if (!inner.valid()) return this;
      return PassedOn<T>::pass(std::move(inner), Promise<T>(this));
    } else {
      return put_result<T>(this, [this] { return call(*work_); });
    }
  }
  void discard() noexcept override {
    const Promise<T> unfulfilled(this);
    this->follow(nullptr);
    work_.reset();
  }

 private:
  // NOLINTNEXTLINE(bugprone-exception-escape): programs have functions that throw when moved.
  struct Work {
    Source source;
    F f;
  };
  /// What the function has captured goes before who waits for the result goes on.
  struct Ended {
    ThenContinuation& continuation;
    ~Ended() { continuation.work_.reset(); }
  };

  static void destroy(FutureCore* state) noexcept { delete static_cast<ThenContinuation*>(state); }
  static Result call(Work& work) {
    if constexpr (sizeof...(Value) == 0) {
      work.source.get();
      return work.f();
    } else {
      return work.f(work.source.get());
    }
  }

  /// Returns: an empty future if this has a failure now.
  Future<T> called_safely() {
    try {
      Future<T> inner = call(*work_);
      if (!inner.valid()) throw_empty_future();
      return inner;
    } catch (...) {
      this->set_failure(std::current_exception());
      return {};
    }
  }

  std::optional<Work> work_;
};

/// Runs F in the state of a call that has its value, and puts the result in the place of the value.
/// F first: it names the function in messages.
template <class F, class... Value>
struct ReplacingFunction {
  using Result = std::invoke_result_t<F&, Value...>;

  static void run(FutureCore& core) {
    auto& state = static_cast<SmallState&>(core);
    F& f = state.function<F>();
    state.set_reason({fiber::WaitKind::future, -1, nullptr,
                      name_address(f, reinterpret_cast<std::uintptr_t>(&run))});
    put_result<Result>(&state, [&] {
      if constexpr (sizeof...(Value) == 0) {
        return f();
      } else {
        return f(take_value<Value...>(state));
      }
    });
  }
};

/// Can the result of F take the place of such a value?
template <class F, class... Value>
concept Replaces =
    SmallFunction<F> &&(SmallValue<Value>&&...) &&
    std::is_invocable_v<F&, Value...>&& SmallValue<std::invoke_result_t<F&, Value...>>;

/// `value` is what `f` gets.
template <class... Value, class Source, class F>
auto continue_with(Source source, F f) {
  static_assert(std::is_invocable_v<F&, Value...>,
                "tasuki: the function given to then cannot be called with the value of this "
                "future: as const T& of a future with a name, as T of std::move(future).");
  FutureCore* const state = source.internal_state();
  auto* const continuation =
      new ThenContinuation<F, Source, Value...>(std::move(source), std::move(f));
  auto result = continuation->future();
  state->on_done(continuation);
  return result;
}

/// The same with the value of a future that is given away.
template <class... Value, class T, class F>
auto continue_given(Future<T> future, F f) {
  if constexpr (Replaces<F, Value...>) {
    auto& state = static_cast<SmallState&>(*future.internal_state());
    if (state.may_be_replaced()) {
      state.replace_by(f, &ReplacingFunction<F, Value...>::run);
      return Future<std::invoke_result_t<F&, Value...>>(future.release_state());
    }
  }
  return continue_with<Value...>(Given<T>(std::move(future)), std::move(f));
}

}  // namespace runtime

template <class T>
template <class F>
auto Future<T>::then(F f) & {
  state();
  runtime::Shared<T> shared(*internal_state());
  if constexpr (std::is_void_v<T>) {
    return runtime::continue_with(std::move(shared), std::move(f));
  } else {
    return runtime::continue_with<const T&>(std::move(shared), std::move(f));
  }
}
template <class T>
template <class F>
auto Future<T>::then(F f) && {
  state();
  if constexpr (std::is_void_v<T>) {
    return runtime::continue_given(std::move(*this), std::move(f));
  } else {
    return runtime::continue_given<T>(std::move(*this), std::move(f));
  }
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
  if (const runtime::Waits* const waits = runtime::Waits::current_or_null()) [[likely]] {
    waits->ready_state().retain();
    return Future<void>(&waits->ready_state());
  }
  Promise<void> promise;  // of another thread, or after the job
  promise.set_value();
  return promise.future();
}

}  // namespace tasuki
