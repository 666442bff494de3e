// bench_resumes: what it costs to go on with what waits for a future: a coroutine, a continuation,
// a fiber. The numbers of docs/guide/futures.md are made by this program: tasuki run -n 1 --
// build/release/bin/bench_resumes
//
// Each line gives the lowest, the lower quartile and the median of 200 samples, so that other load
// on the machine shows as a spread and does not change the first two.
#include <fmt/format.h>

#include <string>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "micro/quantile.hpp"
#include "micro/timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int samples_count = 200;
constexpr std::size_t waits_count = 1000;

/// Futures that are fulfilled one after the other while somebody waits for each.
struct Row {
  Row() : promises(waits_count) {
    for (auto& promise : promises) futures.push_back(promise.future());
  }
  /// The time of one, in nanoseconds.
  template <class Fulfil>
  double fulfil_all_ns(Fulfil fulfil) {
    std::size_t next = 0;
    return mean_ns(static_cast<int>(waits_count), [&] { fulfil(promises[next++]); });
  }
  std::vector<Promise<int>> promises;
  std::vector<Future<int>> futures;
};

template <class Sample>
void print_row(const std::string& name, Sample sample) {
  std::vector<double> samples;
  for (int i = 0; i < samples_count; ++i) samples.push_back(sample());
  fmt::print("{:<44} {:8.1f} {:8.1f} {:8.1f}\n", name, quantile(samples, 0),
             quantile(samples, 0.25), quantile(samples, 0.5));
}

void set(Promise<int>& promise) { promise.set_value(1); }

double fulfil_unawaited_ns() {
  Row row;
  const double each_ns = row.fulfil_all_ns(set);
  for (auto& future : row.futures) future.get();
  return each_ns;
}

Future<int> sum_of(std::vector<Future<int>>& futures) {
  int sum = 0;
  for (auto& future : futures) sum += co_await future;
  co_return sum;
}
double resume_coroutine_ns() {
  Row row;
  auto sum = sum_of(row.futures);
  const double each_ns = row.fulfil_all_ns(set);
  sum.get();
  return each_ns;
}

double run_continuation_ns() {
  Row row;
  int sum = 0;
  std::vector<Future<void>> ends;
  for (auto& future : row.futures) {
    ends.push_back(std::move(future).then([&](int value) { sum += value; }));
  }
  const double each_ns = row.fulfil_all_ns(set);
  for (auto& end : ends) end.get();
  return each_ns;
}

double wake_fiber_ns() {
  Row row;
  auto sum = spawn([&] {
    int values = 0;
    for (auto& future : row.futures) values += future.get();
    return values;
  });
  yield();
  const double each_ns = row.fulfil_all_ns([](Promise<int>& promise) {
    promise.set_value(1);
    yield();
  });
  sum.get();
  return each_ns;
}

double call_coroutine_ns() {
  const auto one = []() -> Future<int> { co_return 1; };
  return mean_ns(static_cast<int>(waits_count), [&] { one().get(); });
}

void print_rows() {
  fmt::print("{:<44} {:>8} {:>8} {:>8}\n", "ns", "lowest", "quartile", "median");
  print_row("fulfil a future that nobody waits for", fulfil_unawaited_ns);
  print_row("the same, and resume a coroutine (co_await)", resume_coroutine_ns);
  print_row("the same, and run a continuation (then)", run_continuation_ns);
  print_row("the same, and wake a fiber (get), a poll", wake_fiber_ns);
  print_row("a coroutine that waits for nothing", call_coroutine_ns);
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  return tasuki::run_master(argc, argv, tasuki::bench::print_rows);
}
