#include <chrono>
#include <functional>
#include <string>
#include <tasuki/rank_thread.hpp>
#include <tasuki/tasuki.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "cache_line.hpp"
#include "suites.hpp"
#include "timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int invokes_per_sample = 500;
constexpr int switches_per_fiber = 2000;
constexpr int switching_fibers = 16;
constexpr int calls_per_sample = 200'000;
constexpr int unaggregated_calls_per_sample = 20'000;
constexpr int argument_calls_per_sample = 50;
constexpr int thread_works_per_sample = 20;
constexpr std::chrono::microseconds long_pause{4000};  // twice TASUKI_SLEEP_AFTER_US

int add_one(int value) { return value + 1; }

int add_one_after_yield(int value) {
  yield();
  return value + 1;
}

std::uint64_t received_sum = 0;

double invoke_ns(int (*function)(int)) {
  double ns = 0;
  if (rank() == 0) {
    ns = mean_ns(invokes_per_sample, [&] { (void)invoke(1, function, 1); });
  }
  barrier();
  return ns;
}

/// Fibers of this rank that do nothing but yield to each other.
double fiber_switch_ns() {
  if (rank() != 0) return 0;
  std::vector<Future<void>> fibers;
  const std::int64_t start_ns = base::now_ns();
  for (int i = 0; i < switching_fibers; ++i) {
    fibers.push_back(ainvoke(0, [] {
      for (int k = 0; k < switches_per_fiber; ++k) yield();
    }));
  }
  when_all(std::move(fibers)).get();
  const double switches = double{switching_fibers} * switches_per_fiber;
  return static_cast<double>(base::now_ns() - start_ns) / switches;
}

/// A fiber that yields where there is no other: to the poller, which asks for messages, and back.
double yield_ns() {
  if (rank() != 0) return 0;
  const std::int64_t start_ns = base::now_ns();
  for (int k = 0; k < switches_per_fiber; ++k) yield();
  return static_cast<double>(base::now_ns() - start_ns) / switches_per_fiber;
}

/// Ranks 0 and 1 do `work(i)` for all i below `count`; done everywhere per rank and microsecond.
template <class Work>
double rate_of(int count, Work work) {
  barrier();
  const std::int64_t start_ns = base::now_ns();
  if (rank() < 2) {
    for (int i = 0; i < count; ++i) work(i);
  }
  quiesce();
  return count / (static_cast<double>(base::now_ns() - start_ns) / 1000);
}

/// Both ranks call each other.
double one_way_rate(int calls, bool aggregated) {
  return rate_of(calls, [=, peer = rank() ^ 1](int i) {
    post(
        peer, [](std::uint64_t value) { received_sum += value; }, static_cast<std::uint64_t>(i));
    if (!aggregated) flush();
  });
}

/// A histogram: where the next item belongs (Knuth's MMIX generator, the upper bits).
constexpr std::size_t buckets_count = 1024;
std::ptrdiff_t bucket_of(int item) {
  const auto number = static_cast<std::uint64_t>(item) * 6364136223846793005U;
  return static_cast<std::ptrdiff_t>(number >> 54U);
}

/// The other rank's buckets.
GlobalPtr<std::uint64_t> their_buckets() {
  static const std::vector all = new_array<std::uint64_t>(buckets_count, world_team());
  return all[static_cast<std::size_t>(rank() ^ 1) % all.size()];
}

double atomic_add_rate() {
  return rate_of(calls_per_sample,
                 [table = their_buckets()](int i) { table[bucket_of(i)].add(1); });
}

double add_by_call_rate() {
  return rate_of(calls_per_sample, [table = their_buckets()](int i) {
    post(
        table.rank(), [](GlobalPtr<std::uint64_t> bucket) { ++*bucket.raw(); },
        table + bucket_of(i));
  });
}

/// A call with many numbers: a view of a vector, or the vector itself.
template <class Argument, class Make>
double argument_ns(std::size_t bytes, Make make) {
  double ns = 0;
  if (rank() == 0) {
    const std::vector<double> numbers(bytes / sizeof(double), 0.5);
    const auto last = [](const Argument& all) { return *(all.end() - 1); };
    ns = mean_ns(argument_calls_per_sample, [&] { (void)invoke(1, last, make(numbers)); });
  }
  barrier();
  return ns;
}

using Numbers = std::vector<double>;
double view_ns(std::size_t bytes) {
  return argument_ns<View<double>>(bytes, [](const Numbers& numbers) { return view(numbers); });
}
double vector_ns(std::size_t bytes) { return argument_ns<Numbers>(bytes, std::identity()); }

/// A thread of rank 0 hands the rank, which has slept for `pause` or polls, a function that does
/// nothing, and waits for it.
double rank_thread_ns(std::chrono::microseconds pause) {
  if (rank() != 0) return 0;
  return spawn_thread([pause] {
           std::int64_t total_ns = 0;
           for (int i = 0; i < thread_works_per_sample; ++i) {
             if (pause.count() != 0) std::this_thread::sleep_for(pause);
             const std::int64_t start_ns = base::now_ns();
             on_rank_thread([] {}).get();
             total_ns += base::now_ns() - start_ns;
           }
           return static_cast<double>(total_ns) / thread_works_per_sample;
         })
      .get();
}

}  // namespace

std::vector<Benchmark> call_benchmarks() {
  const auto& mpi = mpi_baselines();
  std::vector<Benchmark> all;
  all.push_back({"fiber_switch", "ns", fiber_switch_ns, "", nullptr});
  all.push_back({"yield", "ns", yield_ns, "", nullptr});
  all.push_back({"rank_thread", "ns", [] { return rank_thread_ns({}); }, "", nullptr});
  all.push_back(
      {"rank_thread_asleep", "ns", [] { return rank_thread_ns(long_pause); }, "", nullptr});
  if (size() < 2) return all;
  const auto two_lines = [] { return 2 * cache_line_ns(); };
  all.push_back({"invoke_inline", "ns", [] { return invoke_ns(add_one); },
                 "cache line there and back", two_lines});
  all.push_back({"invoke_fiber", "ns", [] { return invoke_ns(add_one_after_yield); },
                 "cache line there and back", two_lines});
  all.push_back({"ainvoke_oneway", "Mcalls/s", [] { return one_way_rate(calls_per_sample, true); },
                 "", nullptr});
  for (const auto& [size, bytes] :
       {std::pair{"1K", std::size_t{1} << 10}, std::pair{"64K", std::size_t{64} << 10},
        std::pair{"1M", std::size_t{1} << 20}}) {
    all.push_back({std::string("view_") + size, "ns", [bytes = bytes] { return view_ns(bytes); },
                   "the same as a vector", [bytes = bytes] { return vector_ns(bytes); }});
  }
  their_buckets();  // collective, so made here and not when first used
  all.push_back({"atomic_add", "Mops/s", atomic_add_rate, "aggregated post of the same, Mcalls/s",
                 add_by_call_rate});
  Benchmark unaggregated{"ainvoke_oneway_unaggregated", "Mcalls/s",
                         [] { return one_way_rate(unaggregated_calls_per_sample, false); }, "",
                         nullptr};
  if (mpi.library != nullptr) {
    unaggregated.baseline_name = "MPI_Send of 8 B, Msends/s";
    unaggregated.baseline = [&mpi] { return mpi.stream_rate(8) / 8 / 1e6; };
  }
  all.push_back(std::move(unaggregated));
  return all;
}

}  // namespace tasuki::bench
