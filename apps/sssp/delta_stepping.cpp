// Delta-stepping: nodes in buckets of distances of width delta, one bucket after the other; a node
// whose distance improves later is taken again.
//
// Source: U. Meyer, P. Sanders, Delta-stepping: a parallelizable shortest path algorithm,
// J. Algorithms 49, 2003. Here each rank drains its part of a bucket, with what comes into it
// meanwhile, before it talks to others (Zhang et al., Optimizing ordered graph algorithms with
// GraphIt, CGO 2020, call that bucket fusion), and light and heavy arcs are relaxed together: with
// a width that is best here, hardly any arc is heavy.

#include <algorithm>

#include "sssp/buckets.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {
namespace {

/// Of a circle; more would cost memory and make every empty one a step.
constexpr std::uint64_t most_buckets = std::uint64_t{1} << 20;

class DeltaStepping : public Solver {
 public:
  DeltaStepping(Search& search, Weight delta)
      : search_(search), buckets_(delta, search.graph().summary.greatest_weight) {}

  std::uint64_t solve() override {
    const auto push = [this](Node node, Distance distance) { buckets_.push(node, distance); };
    if (search_.begin()) push(search_.source(), 0);
    for (std::uint64_t phases = 0;; ++phases) {
      const auto [number] =
          search_.agree([this] { return std::array<Distance, 1>{buckets_.least()}; }, push);
      if (number == infinity) return phases;
      buckets_.drain(number, *this);
    }
  }

  void take(const Buckets::Entry& entry) {
    if (entry.distance != search_.distances()[entry.node]) return;
    search_.relax(entry.node, entry.distance,
                  [this](Node node, Distance distance) { buckets_.push(node, distance); });
  }
  void fetch_node(const Buckets::Entry& entry) const noexcept { search_.fetch_node(entry.node); }
  void fetch_arcs(const Buckets::Entry& entry) const noexcept { search_.fetch_arcs(entry.node); }

 private:
  Search& search_;
  Buckets buckets_;  ///< Empty between searches.
};

}  // namespace

Weight least_delta(const GraphSummary& summary) noexcept {
  return static_cast<Weight>(summary.greatest_weight / (most_buckets - 1) + 1);
}

Weight default_delta(const GraphSummary& summary) noexcept {
  // (Xeon, Sapphire Rapids, two ranks, ms with 2.5 / 5 / 10 / 20 / 40: FLA 31 / 29 / 30 / 29 / 36,
  // NY 6.7 / 6.4 / 6.3 / 7.5 / 8.3; the fewer buckets, the fewer rounds of messages.)
  constexpr double arcs_per_bucket = 10;
  const double delta = arcs_per_bucket * summary.mean_weight / std::max(summary.mean_degree, 1.0);
  return std::max(static_cast<Weight>(std::min<double>(delta, most_weight)), least_delta(summary));
}

std::unique_ptr<Solver> make_delta(Search& search, Weight delta) {
  return std::make_unique<DeltaStepping>(search, delta);
}

}  // namespace tasuki::sssp
