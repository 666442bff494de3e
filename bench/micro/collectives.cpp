#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/policy.hpp>
#include <tasuki/tasuki.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "suites.hpp"
#include "timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int repetitions = 500;

double barrier_ns() {
  return mean_ns(repetitions, [] { barrier(); });
}

double allreduce_ns() {
  double value = 1;
  return mean_ns(repetitions, [&] { value = allreduce(value, Max{}); });
}

/// An allreduce of 8 bytes between two ranks by messages: a schedule of one round, made before.
double schedule_round_ns() {
  const coll::Policy before = policy();
  std::vector<coll::PolicyRow> rows = {{coll::Collective::allreduce, coll::any_ranks,
                                        coll::any_bytes, "recursive_doubling", "", "measured"}};
  rows.insert(rows.end(), before.rows().begin(), before.rows().end());
  set_policy(coll::Policy(std::move(rows)));
  double value = 1;
  const std::span<double> all(&value, 1);
  const auto one_round = [&] { allreduce(std::span<const double>(all), all, Max{}); };
  one_round();
  const double time_ns = mean_ns(repetitions, one_round);
  set_policy(before);
  return time_ns;
}

/// The messages of such a round, by hand: a record as long as the schedule's, whose handler wakes
/// the fiber that waits for it.
struct Exchange {
  struct Message {
    std::uint64_t name[2];
    std::uint64_t bytes;
    double value;
  };
  static inline double received = 0;
  static inline int unread_count = 0;
  static inline runtime::WaitQueue<> waiters;

  static void handle(runtime::Rank& self, int, runtime::Reader& reader) {
    received = reader.read<Message>().value;
    ++unread_count;
    if (!waiters.empty()) self.waits.wake_first(waiters);
  }
  static double with(runtime::Rank& self, int peer, double value) {
    self.sender.send_record(peer, &handle, sizeof(Message), [&](runtime::Writer& to) noexcept {
      to.write(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{sizeof value}, value);
    });
    self.sender.flush();
    if (unread_count == 0) {
      runtime::Waiter waiter;
      self.waits.wait_in(waiters, waiter, {fiber::WaitKind::collective, peer, "exchange"});
    }
    --unread_count;
    return std::max(value, received);
  }
};

double exchange_ns() {
  auto& self = runtime::Rank::current();
  double value = 1;
  return mean_ns(repetitions, [&] { value = Exchange::with(self, 1 - rank(), value); });
}

}  // namespace

std::vector<Benchmark> collective_benchmarks() {
  const auto& mpi = mpi_baselines();
  Benchmark barriers{"barrier", "ns", barrier_ns, "", nullptr};
  Benchmark allreduces{"allreduce_8B", "ns", allreduce_ns, "", nullptr};
  if (mpi.library != nullptr) {
    barriers.baseline_name = "MPI_Barrier";
    barriers.baseline = mpi.barrier_ns;
    allreduces.baseline_name = "MPI_Allreduce";
    allreduces.baseline = mpi.allreduce_ns;
  }
  std::vector<Benchmark> all = {barriers, allreduces};
  if (size() == 2) {
    all.push_back(
        {"schedule_round_8B", "ns", schedule_round_ns, "the same messages by hand", exchange_ns});
  }
  return all;
}

}  // namespace tasuki::bench
