#include "idle/comparison.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/world/idle_work.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "micro/quantile.hpp"
#include "micro/timing.hpp"

namespace tasuki::bench {
namespace {

using predict::Mode;
using runtime::IdleWork;
using runtime::Rank;

constexpr int pairs_count = 400;
constexpr int calls_per_sample = 200;

struct Works {
  IdleWork* before = Rank::current().idle_work;
  IdleWork off{Rank::current(), Mode::off};
  IdleWork on{Rank::current(), Mode::guarded};
  IdleWork always{Rank::current(), Mode::always};
};
std::unique_ptr<Works> works;

double sample_ns(Mode mode, const std::function<void()>& call) {
  use(mode);
  invoke(1, use, mode);
  return mean_ns(calls_per_sample, [&] { call(); });
}

}  // namespace

IdleWorks::IdleWorks() { works = std::make_unique<Works>(); }

IdleWorks::~IdleWorks() {
  Rank::current().idle_work->finish();
  Rank::current().idle_work = works->before;
  works.reset();
}

void use(Mode mode) {
  Rank::current().idle_work->finish();
  Rank::current().idle_work = mode == Mode::off      ? &works->off
                              : mode == Mode::always ? &works->always
                                                     : &works->on;
}

void print_heading() {
  if (rank() != 0) return;
  fmt::print("{:<50} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}\n", "ns of a call", "without",
             "more", "1st qu.", "3rd qu.", "tenth", "more", "ratio");
}

void compare(const Comparison& comparison) {
  if (rank() == 0) {
    std::vector<double> without;
    std::vector<double> with;
    std::vector<double> differences;
    for (int pair = 0; pair < pairs_count; ++pair) {
      std::array<double, 2> ns{};
      for (const int turn : {pair % 2, 1 - pair % 2}) {
        ns[static_cast<std::size_t>(turn)] =
            turn == 0 ? sample_ns(comparison.mode_without, comparison.call_without)
                      : sample_ns(comparison.mode_with, comparison.call_with);
      }
      without.push_back(ns[0]);
      differences.push_back(ns[1] - ns[0]);
      with.push_back(ns[1]);
    }
    constexpr double half = 0.5;
    constexpr double quarter = 0.25;
    // Of the samples that other programs have disturbed least.
    constexpr double tenth = 0.1;
    const double quiet_ns = quantile(without, tenth);
    const double quiet_more_ns = quantile(with, tenth) - quiet_ns;
    fmt::print("{:<50} {:>8.0f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.0f} {:>8.1f} {:>7.3f}\n",
               comparison.name, quantile(without, half), quantile(differences, half),
               quantile(differences, quarter), quantile(differences, 1 - quarter), quiet_ns,
               quiet_more_ns, 1 + quiet_more_ns / quiet_ns);
  }
  barrier();
}

}  // namespace tasuki::bench
