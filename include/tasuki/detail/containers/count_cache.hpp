// Counts of keys that this rank has added and not yet sent to the ranks that own them.
//
// A key that is added again while it is here costs no message: the counts of frequent keys are
// combined at their sender. Each key has one place, where a new key takes the place of another,
// which is sent then. Used by CountingSet. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tasuki/detail/containers/owner.hpp>
#include <utility>
#include <vector>

namespace tasuki::containers {

/// Chosen by `bench_containers 1000000 8` at 2 ranks, which compares with a HashMap: more places
/// are slower where keys seldom come again (a place then costs a miss of the processor's cache),
/// fewer help with fewer keys. Below 3 hits of 4 keys the cache takes longer than it saves.
inline constexpr std::size_t count_cache_places = 4096;
inline constexpr std::size_t count_cache_try = 4096;  ///< Keys after which hits are judged.
inline constexpr std::size_t count_cache_pause = 15 * count_cache_try;
inline constexpr std::size_t count_cache_hits_least = count_cache_try / 4 * 3;

template <class Key, class Hash>
class CountCache {
 public:
  /// Is it worth while now to add a key? Each call stands for a key.
  bool is_worth_while() noexcept {
    if (asked_count_ == 0) [[unlikely]]
      judge();
    --asked_count_;
    return is_in_use_;
  }
  /// Calls `send(key, times)` for the key that has to leave, if any.
  template <class Send>
  void add(const Key& key, std::uint64_t times, Send send) {
    const std::size_t at = place_of(key);
    std::optional<Entry>& place = places_[at];
    if (!place) {
      taken_.push_back(at);
      place.emplace(key, times);
    } else if (place->first == key) [[likely]] {
      place->second += times;
      ++hits_count_;
    } else {
      const Entry leaving = std::exchange(*place, Entry(key, times));
      send(leaving.first, leaving.second);
    }
  }
  /// Calls `send(key, times)` if the key is here.
  template <class Send>
  void send_one(const Key& key, Send send) {
    const std::size_t at = place_of(key);
    if (places_[at] && places_[at]->first == key) send_from(at, send);
  }
  /// The same for all that are here now; it may wait, and others be added.
  template <class Send>
  void send_all(Send send) {
    for (const std::size_t at : std::exchange(taken_, {})) {
      if (places_[at]) send_from(at, send);
    }
  }

 private:
  using Entry = std::pair<Key, std::uint64_t>;

  static std::size_t place_of(const Key& key) {
    // The owner follows from the upper bits.
    return mixed(Hash{}(key)) % count_cache_places;
  }

  template <class Send>
  void send_from(std::size_t at, Send& send) {
    const Entry leaving = *std::exchange(places_[at], std::nullopt);
    send(leaving.first, leaving.second);
  }
  /// Keys that seldom come again cost more here than they save: then most are sent at once, and
  /// only now and then some are taken for a try.
  void judge() noexcept {
    is_in_use_ = !is_in_use_ || hits_count_ >= count_cache_hits_least;
    asked_count_ = is_in_use_ ? count_cache_try : count_cache_pause;
    hits_count_ = 0;
  }

  std::vector<std::optional<Entry>> places_{count_cache_places};
  std::vector<std::size_t> taken_;  ///< Places with a key; some may be empty again, or twice.
  bool is_in_use_ = false;
  std::size_t asked_count_ = 0;  ///< Keys until the next judgement.
  std::size_t hits_count_ = 0;   ///< Since the last one.
};

}  // namespace tasuki::containers
