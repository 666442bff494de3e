// Threads beside a rank's own: how they hand it work, and how a rank starts one and waits for it.
//
// Only the rank's thread may call Tasuki. Any other thread of the process calls `on_rank_thread`,
// which runs a function on the rank's thread, as a fiber, and gives a std::future of its result.
// `spawn_thread` runs a function on a thread of its own, which may use OpenMP, while the rank's
// thread serves calls, and gives a Future.
//
// Thread-safety: `on_rank_thread` from any thread, `spawn_thread` from the rank's own.
#pragma once

#include <exception>
#include <future>
#include <memory>
#include <tasuki/detail/runtime/world/thread_works.hpp>
#include <tasuki/spawn.hpp>
#include <thread>
#include <type_traits>
#include <utility>

namespace tasuki {
namespace runtime {

/// Fulfils a std::promise with what `make` returns or throws.
template <class T, class Make>
void fulfil(std::promise<T>& promise, Make make) {
  try {
    if constexpr (std::is_void_v<T>) {
      make();
      promise.set_value();
    } else {
      promise.set_value(make());
    }
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
}

/// On the rank's own thread nobody else could run it.
template <class F>
auto run_at_once(F f) {
  using Returned = std::decay_t<std::invoke_result_t<F&>>;
  std::promise<typename Outcome<Returned>::type> promise;
  fulfil(promise, [&] {
    if constexpr (is_future<Returned>) {
      return f().get();
    } else {
      return f();
    }
  });
  return promise.get_future();
}

/// A function that runs as a fiber of the rank, for another thread.
template <class F>
class WorkForThread final : public ThreadWork {
 public:
  using Result = typename Outcome<std::decay_t<std::invoke_result_t<F&>>>::type;

  explicit WorkForThread(F f) : f_(std::move(f)) {}
  std::future<Result> result() { return promise_.get_future(); }
  void begin() override {
    Future<Result> future = tasuki::spawn(std::move(f_));
    FutureCore* const state = future.internal_state();
    state->on_done(new Answer(std::move(future), std::move(promise_)));
  }

 private:
  struct Answer final : Continuation {
    Answer(Future<Result> from, std::promise<Result> to)
        : future(std::move(from)), promise(std::move(to)) {}
    FutureCore* run() override {
      const std::unique_ptr<Answer> self(this);
      fulfil(promise, [this] { return future.get(); });
      return nullptr;
    }
    void discard() noexcept override { delete this; }
    Future<Result> future;
    std::promise<Result> promise;
  };

  F f_;
  std::promise<Result> promise_;
};

/// A function that runs on a thread of its own; its end is work for the rank.
template <class F>
class StartedThread final : public ThreadWork {
 public:
  using Result = std::decay_t<std::invoke_result_t<F&>>;

  explicit StartedThread(F f) : f_(std::move(f)) {}
  Future<Result> future() { return promise_.future(); }
  /// `rank` is that of the calling thread. Throws std::system_error if there is no thread to be
  /// had.
  void start(ThreadWorks& rank) {
    thread_ = std::thread([this, &rank] {
      const ThreadWorks::Home home(rank);
      fulfil(result_, [this] { return f_(); });
      rank.add(std::unique_ptr<ThreadWork>(this));
    });
    rank.note_started();
  }
  /// On the rank's thread again; the other one has nothing left to do.
  void begin() override {
    thread_.join();
    Rank& here = Rank::current();
    here.thread_works->note_ended();
    FutureCore* const state =
        put_result<Result>(promise_.release_state(), [this] { return result_.get_future().get(); });
    state->complete_by_poller();
    state->release();
    ++here.traffic.with(here.rank).done;
  }

 private:
  F f_;
  std::promise<Result> result_;
  Promise<Result> promise_;
  std::thread thread_;
};

}  // namespace runtime

/// Runs `f()` on the thread of the rank that this process is, as a fiber: it may call Tasuki and
/// wait. If it returns a Future, its result is what that one will have. The calling thread may wait
/// for the std::future, if it is not the rank's own; there `f` runs at once. What `f` refers to
/// must live until then. The job does not end before `f` has run. Throws tasuki::error if no rank
/// runs here or the job is over, or if several do (loopback) and none of them has started this
/// thread by `spawn_thread`.
///     auto sum = tasuki::spawn_thread([] {
///       return tasuki::on_rank_thread([] { return tasuki::invoke(0, [] { return 42; }); }).get();
///     });
///     std::printf("%d\n", sum.get());
template <class F>
auto on_rank_thread(F f) {
  if (runtime::Rank::current_or_null() != nullptr) return runtime::run_at_once(std::move(f));
  auto work = std::make_unique<runtime::WorkForThread<F>>(std::move(f));
  auto result = work->result();
  runtime::ThreadWorks::hand_over(std::move(work));
  return result;
}

/// Runs `f()` on a thread of its own, beside the rank's. Returns: the future of its result. `f` may
/// compute for long and use OpenMP; it calls Tasuki by `on_rank_thread`. `quiesce` and the end of
/// the job wait for it.
///     std::vector<double> numbers(1000, 0.5);
///     auto sum = tasuki::spawn_thread([&] {
///       double total = 0;
///       for (const double number : numbers) total += number;
///       return total;
///     });
///     std::printf("%.1f\n", sum.get());  // the rank serves calls meanwhile
template <class F>
auto spawn_thread(F f) {
  runtime::Rank& self = runtime::Rank::current();
  auto started = std::make_unique<runtime::StartedThread<F>>(std::move(f));
  auto result = started->future();
  started->start(*self.thread_works);
  started.release();
  ++self.traffic.with(self.rank).begun;
  return result;
}

}  // namespace tasuki
