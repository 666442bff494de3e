// NPB IS on one rank: ranks all keys ten times, then sorts them to see that the ranks are right.
//
// What the ranks exchange is chosen by the problem, or asked for: counts (by_counts.hpp) or keys
// (by_keys.hpp). All communication goes through an Exchange; the ranker never knows which.
// Thread-safety: one Ranker per rank; its calls are collective over the ranks of the exchange.
#pragma once

#include <variant>

#include "npb/is/by_counts.hpp"
#include "npb/is/by_keys.hpp"
#include "npb/is/exchanged.hpp"
#include "npb/is/keys.hpp"

namespace tasuki::npb::is {

template <Exchange E>
class Ranker {
 public:
  /// `exchanged` may be Exchanged::cheaper.
  Ranker(const Problem& problem, int rank, int ranks, E& exchange, Exchanged exchanged)
      : problem_(problem),
        places_(part_of({0, problem.key_count()}, rank, ranks)),
        keys_(generate_keys(problem, places_)),
        way_(make_way(problem, rank, ranks, exchange, keys_, exchanged)) {}

  /// Spoils one of all keys.
  void perturb() { perturb_keys(problem_, places_, keys_); }

  /// Ranks all keys. Returns: the ranks of those test keys whose values belong to this rank.
  TestRanks rank_keys(int iteration) {
    change_keys(problem_, places_, iteration, keys_);
    return std::visit(
        [&](auto& way) {
          std::array<std::int32_t, test_count> tests = own_test_keys();
          way.rank(std::span<const Key>(keys_), tests);
          TestRanks ranks;
          for (std::size_t test = 0; test < test_count; ++test)
            ranks[test] = way.table().contains(tests[test])
                              ? way.keys_before() + way.table().rank_of(tests[test])
                              : -1;
          return ranks;
        },
        way_);
  }

  /// Puts each key where the last ranking says. Returns: how those with this rank's values stand.
  Order order() {
    return std::visit([&](auto& way) { return way.order(std::span<const Key>(keys_)); }, way_);
  }

 private:
  using Way = std::variant<ByCounts<E>, ByKeys<E>>;

  static Way make_way(const Problem& problem, int rank, int ranks, E& exchange,
                      std::span<const Key> keys, Exchanged exchanged) {
    if (choose(exchanged, problem, ranks) == Exchanged::counts)
      return ByCounts<E>(problem, rank, ranks, exchange);
    return Way(std::in_place_type<ByKeys<E>>, problem, rank, ranks, exchange, keys);
  }

  /// The test keys that are among this rank's keys, 0 for the others.
  std::array<std::int32_t, test_count> own_test_keys() const {
    std::array<std::int32_t, test_count> tests{};
    for (std::size_t test = 0; test < test_count; ++test) {
      const std::int64_t place = problem_.tests[test].place;
      if (places_.contains(place))
        tests[test] = keys_[static_cast<std::size_t>(place - places_.begin)];
    }
    return tests;
  }

  Problem problem_;
  Range places_;  ///< Of this rank's keys in the unsorted set.
  HugeArray<Key> keys_;
  Way way_;
};

}  // namespace tasuki::npb::is
