// Plans for collectives that were called before, the most recently used first.
//
// Kept by whoever carries collectives out (the runtime's teams, mpi_executor.hpp): a program
// alternates between a handful of calls, and to make a plan takes longer than a small collective.
// Thread-safety: none.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <list>
#include <utility>

namespace tasuki::coll {

/// `is_in_use()`: somebody refers to the plan, so it stays.
template <class Plan>
concept CacheablePlan = requires(const Plan& plan) {
  { plan.is_in_use() } -> std::same_as<bool>;
};

template <CacheablePlan Plan>
class PlanCache {
 public:
  explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}

  /// The plan that `matches`; what `make()` returns if there is none, in the place of the plan
  /// whose last use is longest ago if the cache is full. It stays where it is while it is in use or
  /// among the last `capacity` that were asked for.
  template <std::predicate<const Plan&> Matches, class Make>
  Plan& find_or_add(const Matches& matches, const Make& make) {
    const auto found = std::find_if(plans_.begin(), plans_.end(), matches);
    if (found == plans_.end()) return add(make);
    plans_.splice(plans_.begin(), plans_, found);
    return plans_.front();
  }

 private:
  // Not inlined: whoever has a plan should not make room for a new one.
  template <class Make>
  [[gnu::noinline]] Plan& add(const Make& make) {
    Plan plan = make();
    if (plans_.size() >= capacity_) {
      const auto unused = std::find_if(plans_.rbegin(), plans_.rend(),
                                       [](const Plan& kept) { return !kept.is_in_use(); });
      if (unused != plans_.rend()) plans_.erase(std::next(unused).base());
    }
    return plans_.emplace_front(std::move(plan));
  }

  std::size_t capacity_;
  std::list<Plan> plans_;
};

}  // namespace tasuki::coll
