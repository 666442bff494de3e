#include "sssp/shared_search.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "sssp/buckets.hpp"
#include "sssp/local_graph.hpp"

namespace tasuki::sssp {
namespace {

/// A thread drains its own part of a bucket by itself while it has fewer nodes than this: beyond,
/// all threads share the work (the size that GraphIt uses).
constexpr std::size_t largest_fused_count = 1000;
/// Nodes that a thread takes at a time from the bucket that all share.
constexpr int nodes_at_a_time = 64;

}  // namespace

SharedSearch::SharedSearch(const Graph& graph, Weight delta)
    : begins_(graph.begins.begin(), graph.begins.end()),
      arcs_(graph.arcs.begin(), graph.arcs.end()),
      delta_(delta),
      distances_(graph.node_count()),
      bins_(static_cast<std::size_t>(omp_get_max_threads()),
            Bins(std::bit_ceil(Buckets::count(delta, summary_of(graph).greatest_weight)))),
      frontier_(graph.arcs.size() + 1) {}

std::uint64_t SharedSearch::solve(Node source) {
  std::fill(distances_.begin(), distances_.end(), infinity);
  distances_[source] = 0;
  frontier_[0] = source;
  ends_ = {1, 0};
  numbers_ = {0, infinity};
  std::uint64_t phases = 0;
#pragma omp parallel
  {
    Bins& bins = bins_[static_cast<std::size_t>(omp_get_thread_num())];
    std::uint64_t phase = 0;
    while (numbers_[phase % 2] != infinity) {
      take_shared(bins, phase);
      fuse(bins, numbers_[phase % 2]);
      propose_next(bins, phase);
#pragma omp barrier
      hand_over(bins, phase);
      ++phase;
#pragma omp barrier
    }
#pragma omp single
    phases = phase;
  }
  return phases;
}

Distance SharedSearch::distance_of(Node node) const noexcept {
  return std::atomic_ref(distances_[node]).load(std::memory_order_relaxed);
}

void SharedSearch::relax(Node node, Bins& bins) {
  const Distance from = distance_of(node);
  for (std::uint32_t place = begins_[node]; place < begins_[node + 1]; ++place) {
    const auto [target, weight] = arcs_[place];
    const std::atomic_ref to(distances_[target]);
    Distance known = to.load(std::memory_order_relaxed);
    const Distance through = from + weight;
    while (through < known) {
      if (!to.compare_exchange_weak(known, through, std::memory_order_relaxed)) continue;
      bin(bins, through / delta_).push_back(target);
      break;
    }
  }
}

/// The bucket that all threads share.
void SharedSearch::take_shared(Bins& bins, std::uint64_t phase) {
  const Distance least = numbers_[phase % 2] * delta_;
  const auto end = static_cast<std::int64_t>(ends_[phase % 2]);
#pragma omp for nowait schedule(dynamic, nodes_at_a_time)
  for (std::int64_t place = 0; place < end; ++place) {
    const Node node = frontier_[static_cast<std::size_t>(place)];
    if (distance_of(node) >= least) relax(node, bins);
  }
}

/// What came into the thread's own part of the bucket meanwhile, while it is little.
void SharedSearch::fuse(Bins& bins, Distance number) {
  std::vector<Node>& own = bin(bins, number);
  std::vector<Node> taken;
  while (!own.empty() && own.size() < largest_fused_count) {
    taken.clear();
    std::swap(taken, own);
    for (const Node node : taken) relax(node, bins);
  }
}

void SharedSearch::propose_next(Bins& bins, std::uint64_t phase) {
  const Distance first = numbers_[phase % 2];
  for (Distance number = first; number < first + bins.size(); ++number) {
    if (bin(bins, number).empty()) continue;
#pragma omp critical
    numbers_[(phase + 1) % 2] = std::min(numbers_[(phase + 1) % 2], number);
    return;
  }
}

/// The thread's part of the next bucket becomes all threads'.
void SharedSearch::hand_over(Bins& bins, std::uint64_t phase) {
  const Distance next = numbers_[(phase + 1) % 2];
#pragma omp single nowait
  {
    numbers_[phase % 2] = infinity;
    ends_[phase % 2] = 0;
  }
  if (next == infinity) return;
  std::vector<Node>& own = bin(bins, next);
  const std::size_t begin = std::atomic_ref(ends_[(phase + 1) % 2]).fetch_add(own.size());
  std::ranges::copy(own, frontier_.begin() + static_cast<std::ptrdiff_t>(begin));
  own.clear();
}

}  // namespace tasuki::sssp
