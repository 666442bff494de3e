// Fibers of this rank that the program starts itself.
//
// Called by programs that have something else to do while one function waits; nothing is sent, so
// arguments and captures may be of any type. Like a called function, a spawned one begins when the
// others wait or yield, must not compute for long without tasuki::yield(), and is waited for by
// `quiesce` and by the end of the job.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/future.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tasuki {
namespace runtime {

/// A function on its way to a result, and what it was called with. F first: it names the function
/// in messages.
template <class F, class... Args>
class Spawned final : public Continuation {
 public:
  using Returned = std::decay_t<std::invoke_result_t<F&, Args...>>;
  using Result = typename Outcome<Returned>::type;

  explicit Spawned(F f, Args... args) : f_(std::move(f)), args_(std::move(args)...) {}
  Future<Result> future() { return promise_.future(); }
  fiber::Activity activity() const noexcept {
    return {-1, name_address(f_, reinterpret_cast<std::uintptr_t>(&enter)), 0, "the spawned"};
  }

  /// On a fiber of its own.
  static void enter(void* untyped) {
    auto self = std::unique_ptr<Spawned>(static_cast<Spawned*>(untyped));
    Rank& here = Rank::current();
    here.waits.set_activity(self->activity());
    if constexpr (is_future<Returned>) {
      if (self->begin()) {
        FutureCore* const state = self->inner_.internal_state();
        self->promise_.internal_state()->follow(state);
        return state->on_done(self.release());
      }
      complete(self->promise_.release_state());
    } else {
      complete(put_result<Result>(self->promise_.release_state(), [&]() -> Returned {
        return std::apply(self->f_, std::move(self->args_));
      }));
    }
    self.reset();
    ++here.traffic.with(here.rank).done;
  }
  /// The future that the function has returned has its value.
  FutureCore* run() override {
    const std::unique_ptr<Spawned> self(this);
    complete(PassedOn<Result>::pass(std::move(inner_), std::move(promise_)));
    Rank& here = Rank::current();
    ++here.traffic.with(here.rank).done;
    return nullptr;
  }
  void discard() noexcept override {
    promise_.internal_state()->follow(nullptr);
    delete this;
  }

 private:
  /// Returns: false if the function gave no future.
  bool begin() noexcept {
    try {
      inner_ = std::apply(f_, std::move(args_));
      if (inner_.valid()) return true;
      throw_empty_future();
    } catch (...) {
      promise_.internal_state()->set_failure(std::current_exception());
    }
    return false;
  }

  F f_;
  std::tuple<Args...> args_;
  Future<Result> inner_;
  Promise<Result> promise_;
};

}  // namespace runtime

/// Runs `f(args...)` on a fiber of this rank. Returns: the future of its result; if `f` returns a
/// Future itself, a coroutine for example, of what that one will have.
///     auto sum = tasuki::spawn([](int a, int b) { return a + b; }, 1, 2);
///     std::printf("%d\n", sum.get());
template <class F, class... Args>
auto spawn(F f, Args... args) {
  static_assert(std::is_invocable_v<F&, Args...>,
                "tasuki: the function cannot be called with these arguments. They are kept for it "
                "as values, so a parameter must be T, const T& or T&&; use std::ref for a T&.");
  runtime::Rank& self = runtime::Rank::current();
  using Spawned = runtime::Spawned<F, Args...>;
  auto spawned = std::make_unique<Spawned>(std::move(f), std::move(args)...);
  auto result = spawned->future();
  self.waits.scheduler().spawn(&Spawned::enter, spawned.get());
  spawned.release();
  ++self.traffic.with(self.rank).begun;
  return result;
}

}  // namespace tasuki
