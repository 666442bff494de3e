// What becomes of failures whose futures are dropped, and of coroutines that wait for ever:
// lost_failures.cmake says how each of these jobs ends.
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tasuki/tasuki.hpp>

#include "support/named_run.hpp"

namespace faults {

using namespace tasuki;

int last_rank() { return size() - 1; }
void throw_in_vain() { throw std::runtime_error("nobody hears this"); }
Future<void> throw_later() {
  co_await ainvoke(rank(), [] {});
  throw std::runtime_error("too late");
}

template <class Begin>
int begin_on_rank_0(Begin begin) {
  if (rank() == 0) begin();
  quiesce();
  return 0;
}
int dropped_call_throws() {
  return begin_on_rank_0([] { auto dropped = ainvoke(last_rank(), throw_in_vain); });
}
int dropped_chain_throws() {
  return begin_on_rank_0([] {
    auto dropped = ainvoke(last_rank(), throw_in_vain).then([] { return 1; }).then([](int) {});
  });
}
int dropped_continuation_throws() {
  return begin_on_rank_0([] { auto dropped = ainvoke(last_rank(), [] {}).then(&throw_in_vain); });
}
int dropped_coroutine_throws() {
  return begin_on_rank_0([] { auto dropped = throw_later(); });
}
int one_way_coroutine_throws() {
  return begin_on_rank_0([] { post(last_rank(), throw_later); });
}
int read_and_dropped() {
  return begin_on_rank_0([] { ainvoke(last_rank(), throw_in_vain).wait(); });
}
int dropped_by_exception() {
  return begin_on_rank_0([] {
    try {
      auto dropped = ainvoke(last_rank(), throw_in_vain);
      throw std::runtime_error("told");
    } catch (const std::runtime_error&) {
      std::fputs("the program goes on\n", stderr);
    }
  });
}

/// A continuation that cannot be kept.
struct ThrowsWhenMoved {
  ThrowsWhenMoved() = default;
  ThrowsWhenMoved(const ThrowsWhenMoved&) = default;
  // Programs have such types.
  // NOLINTNEXTLINE(performance-noexcept-move-constructor,bugprone-exception-escape)
  ThrowsWhenMoved(ThrowsWhenMoved&&) { throw std::runtime_error("told"); }
  void operator()() const {}
};
int given_away_by_exception() {
  return begin_on_rank_0([] {
    try {
      const ThrowsWhenMoved continuation;
      auto dropped = ainvoke(last_rank(), throw_in_vain).then(continuation);
    } catch (const std::runtime_error&) {
      std::fputs("the program goes on\n", stderr);
    }
  });
}

Future<void> wait_for_ever() {
  static Promise<void> never;
  co_await never.future();
}
Future<void> call_one_that_waits() { co_await ainvoke(last_rank(), wait_for_ever); }
int hung_function_of_answer() {
  return begin_on_rank_0([] {
    Promise<int> never;
    auto nothing = never.future();
    ainvoke(last_rank(), [] { return 1; }).then([&](int) { return nothing.get(); }).get();
  });
}
/// Waits for what is chained to a call that has been waited for in vain.
int hung_chain() {
  return begin_on_rank_0([] {
    auto answer = ainvoke(last_rank(), wait_for_ever);
    answer.get_for(std::chrono::milliseconds(1));
    std::move(answer).then([] {}).get();
  });
}
/// The same at the end of a longer chain.
int hung_long_chain() {
  return begin_on_rank_0([] {
    auto first = ainvoke(last_rank(), wait_for_ever).then([] { return 1; });
    auto second = first.then([](int one) { return std::to_string(one); });
    second.then([](const std::string& text) { return text + "!"; }).get();
  });
}
/// The function has made another call, whose answer is awaited now.
int hung_call_of_chain() {
  return begin_on_rank_0([] {
    auto inner = ready_future().then([] { return ainvoke(last_rank(), wait_for_ever); });
    std::move(inner).then([] { return std::string("done"); }).get();
  });
}
/// The same of a spawned function.
int hung_spawned_call() {
  return begin_on_rank_0([] { spawn([] { return ainvoke(last_rank(), wait_for_ever); }).get(); });
}
/// A function that waits for its own result.
int hung_circle() {
  return begin_on_rank_0([] {
    Promise<int> promise;
    Future<int> circle;
    const auto wait_for_itself = [&circle](int) {
      return circle.then([](const int& value) { return value + 1; });
    };
    circle = promise.future().then(wait_for_itself);
    promise.set_value(1);
    circle.get();
  });
}
/// Nothing of a chain is named any more when the one it followed has gone.
int hung_after_chain() {
  return begin_on_rank_0([] {
    Promise<int> never;
    auto last = ainvoke(last_rank(), [] {
                  return std::string("now");
                }).then([nothing = never.future()](const std::string&) mutable {
      return std::move(nothing).then([](int) { return std::string(); });
    });
    std::move(last).then([](const std::string& text) { return text + "!"; }).get();
  });
}
/// The same as in hung_chain, but the answer comes while one waits, and the function waits then.
std::unique_ptr<Promise<void>> gate;
void wait_for_gate() {
  gate = std::make_unique<Promise<void>>();
  gate->future().get();
}
int hung_function_of_chain() {
  return begin_on_rank_0([] {
    Promise<int> never;
    auto nothing = never.future();
    auto answer = ainvoke(last_rank(), wait_for_gate);
    answer.get_for(std::chrono::milliseconds(1));
    auto chained = std::move(answer).then([&] { return nothing.get(); });
    post(last_rank(), [] { gate->set_value(); });
    chained.get();
  });
}
int dropped_function_of_answer_throws() {
  return begin_on_rank_0([] {
    const auto fail = [what = "too small"](int) { throw std::runtime_error(what); };
    auto dropped = ainvoke(last_rank(), [] { return 1; }).then(fail);
  });
}
int hung_coroutine() {
  return begin_on_rank_0([] { call_one_that_waits().get(); });
}

constexpr test::NamedRun<> all_faults[] = {
    {"dropped_call_throws", dropped_call_throws},
    {"dropped_chain_throws", dropped_chain_throws},
    {"dropped_continuation_throws", dropped_continuation_throws},
    {"dropped_coroutine_throws", dropped_coroutine_throws},
    {"one_way_coroutine_throws", one_way_coroutine_throws},
    {"read_and_dropped", read_and_dropped},
    {"dropped_by_exception", dropped_by_exception},
    {"given_away_by_exception", given_away_by_exception},
    {"hung_coroutine", hung_coroutine},
    {"hung_function_of_answer", hung_function_of_answer},
    {"hung_chain", hung_chain},
    {"hung_long_chain", hung_long_chain},
    {"hung_call_of_chain", hung_call_of_chain},
    {"hung_spawned_call", hung_spawned_call},
    {"hung_circle", hung_circle},
    {"hung_after_chain", hung_after_chain},
    {"hung_function_of_chain", hung_function_of_chain},
    {"dropped_function_of_answer_throws", dropped_function_of_answer_throws},
};

}  // namespace faults

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [&] {
    return tasuki::test::run_named(faults::all_faults, argc > 1 ? argv[1] : "");
  });
}
