// How often each key has been added, by all ranks of a team: a HashMap of counts.
//
// Each rank combines what it adds to the keys that it adds most often, and sends the sums when it
// waits: so a key that is frequent everywhere does not burden the rank that owns it.
//
// Operations are named by who takes part, as those of HashMap: `async_` ones are called by any rank
// for any key, `local_` ones concern this rank's own keys, all others are collective and first wait
// for what was begun. What hash_map.hpp says of order and of iterations holds here, too.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tasuki/containers/hash_map.hpp>
#include <tasuki/detail/containers/count_cache.hpp>
#include <utility>
#include <vector>

namespace tasuki {

/// Example: examples/counting_set.cpp
///     tasuki::CountingSet<std::string> words;
///     words.async_insert("sash");
///     words.async_insert("relay", 3);
///     const std::size_t different = words.size();  // 2
///     const std::uint64_t all = words.total();     // 4 times the number of ranks
///     const std::uint64_t relays = words.async_count("relay").get();
///     const auto [word, count] = words.top_k(1).front();  // relay
///     words.for_all([](const std::string& one, std::uint64_t times) {
///       std::printf("%s %ju\n", one.c_str(), std::uintmax_t{times});
///     });
///     words.local_for_all([](const std::string&, std::uint64_t) {});
///     const bool is_mine = words.owner("sash") == words.team().rank();
///     const std::size_t here = words.local_size();
///     words.clear();
template <class Key, class Hash = std::hash<Key>>
class CountingSet {
 public:
  using key_type = Key;
  using value_type = std::pair<Key, std::uint64_t>;

  /// Collective over the team. Throws tasuki::error if the team is empty.
  explicit CountingSet(const Team& team = world_team()) : counts_(team) {}

  const Team& team() const noexcept { return counts_.team(); }
  /// The rank, in the team, that counts the key.
  int owner(const Key& key) const { return counts_.owner(key); }

  /// Adds the key, so many times.
  void async_insert(const Key& key, std::uint64_t times = 1) {
    if (!cache_.is_worth_while()) return sender()(key, times);
    if (!is_sending_soon_) send_soon();
    cache_.add(key, times, sender());
  }
  /// 0 if nobody has added it.
  Future<std::uint64_t> async_count(const Key& key) {
    cache_.send_one(key, sender());
    return counts_.async_find(key).then(
        [](const std::optional<std::uint64_t>& count) { return count.value_or(0); });
  }

  std::size_t local_size() const noexcept { return counts_.local_size(); }
  /// `f(key, count)` for each of this rank's keys, in no order.
  template <class F>
  void local_for_all(F f) {
    counts_.local_for_all([&](const Key& key, const std::uint64_t& count) { f(key, count); });
  }

  template <class F>
  void for_all(F f) {
    counts_.for_all([&](const Key& key, const std::uint64_t& count) { f(key, count); });
  }
  /// Different keys, of all ranks together.
  std::size_t size() { return counts_.size(); }
  /// The sum of all counts.
  std::uint64_t total() {
    std::uint64_t mine = 0;
    for_all([&](const Key&, std::uint64_t count) { mine += count; });
    return allreduce(mine, Sum{}, team());
  }
  /// Returns, on all ranks: the keys that were added most often, and their counts.
  std::vector<value_type> top_k(std::size_t count) {
    return counts_.top_k(
        count, [](const value_type& a, const value_type& b) { return a.second > b.second; });
  }
  void clear() { counts_.clear(); }
  /// As those of HashMap.
  ///     tasuki::CountingSet<int> numbers;
  ///     numbers.async_insert(7);
  ///     numbers.save("tasuki-numbers");
  ///     numbers.load("tasuki-numbers");
  ///     if (tasuki::rank() == 0) std::remove("tasuki-numbers");
  void save(const std::string& path) { counts_.save(path); }
  void load(const std::string& path) { counts_.load(path); }

 private:
  using Counts = HashMap<Key, std::uint64_t, Hash>;

  auto sender() {
    return [this](const Key& key, std::uint64_t times) { counts_.async_reduce(key, times, Sum{}); };
  }
  void send_soon() {
    counts_.member().template spawn<Counts>([this] {
      is_sending_soon_ = false;
      cache_.send_all(sender());
    });
    is_sending_soon_ = true;  // Not if it has thrown, as after the job.
  }

  containers::CountCache<Key, Hash> cache_;
  bool is_sending_soon_ = false;
  Counts counts_;  ///< The last: once it is there, other ranks call.
};

}  // namespace tasuki
