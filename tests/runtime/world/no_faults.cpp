// Programs that are well, though something about them once looked like a fault: a deadlock that is
// none, a full heap that has room. The first argument names one, the second is its number.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <map>
#include <string>
#include <tasuki/tasuki.hpp>
#include <thread>
#include <vector>

namespace tasuki::test {
namespace {

/// Throws what the heap throws if it ends before `least_mib`.
int use_the_heap_up(long least_mib) {
  for (long i = 0; i < least_mib; ++i) new_array<char>(std::size_t{1} << 20U);
  return 0;
}

/// 200 long calls to a rank that sleeps for 1 s. Returns: does their sender use little CPU time?
int bulk_waits_for_a_sleeper(long) {
  const auto cpu_s = [] {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  };
  barrier();
  if (rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(1));
  const double before_s = cpu_s();
  if (rank() == 0) {
    const std::vector<char> data(40'000);
    for (int i = 0; i < 200; ++i)
      post(
          1, [](const std::vector<char>&) {}, data);
    invoke(1, [] {});
  }
  const int exit_code = rank() == 0 && cpu_s() - before_s > 0.5 ? 1 : 0;
  barrier();
  return exit_code;
}

void raise(GlobalPtr<std::uint64_t> signal) { signal.nwrite_signal(nullptr, 0, signal); }

/// Computes for so long that rank 0 asks meanwhile, and again at once when it has the answer. Then
/// raises the signal of a process that does not see it for a while.
void compute_and_raise(GlobalPtr<std::uint64_t> signal, int pid, long stop_us) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2700));
  ::kill(pid, SIGSTOP);
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::microseconds(stop_us));
    ::kill(pid, SIGCONT);
  }).detach();
  raise(signal);
}

/// No deadlock: rank 0 has asked twice whether all are idle before rank 1, which is stopped, sees
/// what rank 2 wrote before its first answer.
int a_stopped_rank_has_news(long stop_us) {
  const auto signal = new_<std::uint64_t>(0);
  const auto signals = allgather(signal);
  const auto pids = allgather(static_cast<int>(::getpid()));
  barrier();
  if (rank() == 0) post(2, compute_and_raise, signals[1], pids[1], stop_us);
  wait_signal(signal.raw(), 1);
  if (rank() == 1) {
    raise(signals[0]);
    raise(signals[2]);
  }
  return 0;
}

const std::map<std::string, int (*)(long)> programs = {
    {"a_stopped_rank_has_news", a_stopped_rank_has_news},
    {"bulk_waits_for_a_sleeper", bulk_waits_for_a_sleeper},
    {"use_the_heap_up", use_the_heap_up},
};

}  // namespace
}  // namespace tasuki::test

int main(int argc, char** argv) {
  const auto program = tasuki::test::programs.at(argv[1]);
  const long number = argc > 2 ? std::stol(argv[2]) : 0;
  return tasuki::run(argc, argv, [&] { return program(number); });
}
