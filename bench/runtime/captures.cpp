// bench_captures: what it costs a call to look for addresses of the caller's variables among what a
// lambda captures (capture_check.hpp): tasuki run -n 1 -- build/release/bin/bench_captures
//
// Each line gives the lowest, the lower quartile and the median of 200 samples, so that other load
// on the machine shows as a spread and does not change the first two. The loop itself is a line.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "micro/quantile.hpp"
#include "micro/timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int samples_count = 200;
constexpr int checks_count = 10'000;

/// The compiler must neither know what `value` holds nor do without it.
template <class T>
void hide(T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

template <class F>
void print_check(const char* name, F f) {
  runtime::Rank& self = runtime::Rank::current();
  std::vector<double> samples;
  for (int i = 0; i < samples_count; ++i) {
    samples.push_back(mean_ns(checks_count, [&] {
      hide(f);
      runtime::check_captures(self, f, "post", nullptr);
    }));
  }
  fmt::print("{:<20} {:8.2f} {:8.2f} {:8.2f}\n", name, quantile(samples, 0),
             quantile(samples, 0.25), quantile(samples, 0.5));
}

template <std::size_t Count>
auto capturing() {
  return [numbers = std::array<std::uint64_t, Count>{}] { return numbers[0]; };
}

void print_rows() {
  fmt::print("{:<20} {:>8} {:>8} {:>8}\n", "ns", "lowest", "quartile", "median");
  print_check("no capture", [] {});
  print_check("1 word", capturing<1>());
  print_check("2 words", capturing<2>());
  print_check("4 words", capturing<4>());
  print_check("flag and number", [flag = true, number = 2.0] { return flag ? number : 0; });
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  return tasuki::run_master(argc, argv, tasuki::bench::print_rows);
}
