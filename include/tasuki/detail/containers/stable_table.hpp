// A hash table whose elements stay where they are while others come and go, as in
// std::unordered_map, and which grows without touching them.
//
// Elements lie in chunks, one after the other, and a row of short entries, with a part of each
// hash, says where: so growing reads the entries only. (`tasuki run -n 1 -- bench_containers`, 1
// million keys and values of 8 bytes, on two cores that others used as well: 3.2 M/s are inserted,
// with std::unordered_map 0.5 M/s.) Used by the containers with keys. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/containers/owner.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace tasuki::containers {

template <class Key, class Value, class Hash>
class StableTable {
 public:
  using Element = std::pair<const Key, Value>;

  std::size_t size() const noexcept { return slots_count_ - free_places_.size(); }

  /// Returns: nullptr if the key is not there.
  Element* find(const Key& key) noexcept {
    const std::size_t at = entry_of(key);
    return at == none ? nullptr : &*slot(entries_[at].place);
  }
  const Element* find(const Key& key) const noexcept {
    return const_cast<StableTable*>(this)->find(key);
  }
  /// Returns: the element of the key, made of the key and `args` if it was not there; was it made?
  template <class Arg, class... Args>
  std::pair<Element*, bool> try_emplace(Arg&& key, Args&&... args) {
    if (Element* const found = find(key)) return {found, false};
    const std::uint32_t hash = hash_of(key);
    if (2 * (size() + 1) > entries_.size()) grow();
    const std::uint32_t place = free_place();
    slot(place).emplace(std::piecewise_construct, std::forward_as_tuple(std::forward<Arg>(key)),
                        std::forward_as_tuple(std::forward<Args>(args)...));
    free_places_.pop_back();
    enter({hash, place});
    return {&*slot(place), true};
  }
  void erase(const Key& key) {
    std::size_t at = entry_of(key);
    if (at == none) return;
    const std::uint32_t place = entries_[at].place;
    free_places_.push_back(place);
    slot(place).reset();
    // Those behind it move up, as far as they may (Knuth, volume 3, 6.4, algorithm R).
    for (std::size_t next = after(at); entries_[next].place != empty; next = after(next)) {
      const std::size_t distance = (next - home(entries_[next].hash)) & (entries_.size() - 1);
      if (distance < ((next - at) & (entries_.size() - 1))) continue;
      entries_[at] = entries_[next];
      at = next;
    }
    entries_[at].place = empty;
  }
  void clear() {
    entries_.clear();
    chunks_.clear();
    slots_count_ = 0;
    free_places_.clear();
  }
  /// `f(key, value)` for each, in no order. Requires: `f` does not insert or erase.
  template <class F>
  void for_each(F f) {
    for (std::uint32_t place = 0; place < slots_count_; ++place) {
      if (Slot& one = slot(place)) f(one->first, one->second);
    }
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::uint32_t empty = ~std::uint32_t{0};
  static constexpr std::uint32_t chunk_slots = 1024;
  using Slot = std::optional<Element>;
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t place = empty;
  };

  Slot& slot(std::uint32_t place) const noexcept {
    return chunks_[place / chunk_slots][place % chunk_slots];
  }
  /// The half of the mixed hash that does not say which rank has the key.
  static std::uint32_t hash_of(const Key& key) noexcept {
    return static_cast<std::uint32_t>(mixed(Hash{}(key)));
  }
  std::size_t home(std::uint32_t hash) const noexcept {
    return (std::uint64_t{hash} * entries_.size()) >> 32U;
  }
  std::size_t after(std::size_t at) const noexcept { return (at + 1) & (entries_.size() - 1); }

  std::size_t entry_of(const Key& key) const noexcept {
    if (entries_.empty()) return none;
    const std::uint32_t hash = hash_of(key);
    for (std::size_t at = home(hash); entries_[at].place != empty; at = after(at)) {
      if (entries_[at].hash == hash && slot(entries_[at].place)->first == key) return at;
    }
    return none;
  }
  void enter(Entry entry) noexcept {
    std::size_t at = home(entry.hash);
    while (entries_[at].place != empty) at = after(at);
    entries_[at] = entry;
  }
  std::uint32_t free_place() {
    if (!free_places_.empty()) return free_places_.back();
    TASUKI_ASSERT(slots_count_ < empty);
    if (slots_count_ % chunk_slots == 0) chunks_.push_back(std::make_unique<Slot[]>(chunk_slots));
    // A slot that stays empty, because a constructor throws, is one of the free ones.
    free_places_.push_back(slots_count_++);
    return free_places_.back();
  }
  void grow() {
    constexpr std::size_t least = 16;
    std::vector<Entry> before(entries_.empty() ? least : 2 * entries_.size());
    before.swap(entries_);
    for (const Entry& entry : before) {
      if (entry.place != empty) enter(entry);
    }
  }

  std::vector<Entry> entries_;  ///< At most half of them are used; their number is a power of 2.
  std::vector<std::unique_ptr<Slot[]>> chunks_;
  std::uint32_t slots_count_ = 0;  ///< Used, or free again.
  std::vector<std::uint32_t> free_places_;
};

}  // namespace tasuki::containers
