// Disjoint sets of items that are united by any rank: connected components of a graph, say.
//
// Operations are named by who takes part: `async_` ones are called by any rank for any items and
// run where these belong; `local_` ones concern this rank's own items; all others are collective,
// and first wait for the asynchronous operations that any rank has begun.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/containers/member.hpp>
#include <tasuki/detail/containers/owner.hpp>
#include <tasuki/detail/containers/parts_file.hpp>
#include <tasuki/team.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki {

/// Items may be of any type that calls may have as arguments, and are compared by `<`. An item that
/// is alone in its set has to be inserted. `Hash` must give the same number on all ranks.
/// Example: examples/components.cpp
///     tasuki::DisjointSet<int> sets;
///     sets.async_union(1, 2);
///     sets.async_union(2, 3);
///     sets.async_insert(7);
///     const std::size_t items = sets.size();          // 4
///     const std::size_t count = sets.count_sets();    // 2
///     const int of_3 = sets.async_find(3).get();      // the same as of 1 and 2
///     sets.for_all([](int item, int representative) {
///       std::printf("%d belongs to %d\n", item, representative);
///     });
///     const bool is_mine = sets.owner(3) == sets.team().rank();
///     const std::size_t here = sets.local_size();
///     sets.clear();
template <class Item, class Hash = std::hash<Item>>
class DisjointSet {
 public:
  using value_type = Item;
  /// For the library: what errors call it.
  static constexpr const char* kind = "DisjointSet";

  /// Collective over the team. Throws tasuki::error if the team is empty.
  explicit DisjointSet(const Team& team = world_team()) : member_(kind, this, team) {}

  const Team& team() const noexcept { return member_.team(); }
  /// The rank, in the team, that keeps the item.
  int owner(const Item& item) const {
    return containers::rank_of_hash(Hash{}(item), member_.ranks());
  }

  void async_insert(const Item& item) {
    send(item, [](DisjointSet& sets, const Item& one) { sets.parents_.try_emplace(one, one); });
  }
  /// Makes the sets of both items one. Items that are in no set are inserted.
  void async_union(const Item& one, const Item& other) {
    async_insert(other);
    unite(one, other);
  }
  /// The item that stands for the item's set, which is the same for all items of a set as long as
  /// no sets are united; the item itself if it has not been inserted.
  Future<Item> async_find(const Item& item) const {
    return member_.template ask<DisjointSet>(
        owner(item),
        [](const DisjointSet& sets, const Item& one) {
          const Item parent = sets.local_parent(one);
          return parent == one ? one : sets.async_find(parent).get();
        },
        item);
  }

  std::size_t local_size() const noexcept { return parents_.size(); }

  /// `f(item, representative)` for each item on its rank. Collective.
  template <class F>
  void for_all(F f) {
    compress();
    member_.iterate_together("for_all", [&] {
      for (const auto& [item, parent] : parents_) f(item, parent);
    });
  }
  /// Items of all ranks.
  std::size_t size() {
    member_.complete("size");
    return allreduce(parents_.size(), Sum{}, team());
  }
  std::size_t count_sets() {
    member_.complete("count_sets");
    std::size_t count = 0;
    for (const auto& [item, parent] : parents_) count += item == parent ? 1 : 0;
    return allreduce(count, Sum{}, team());
  }
  /// Makes each item know the one that stands for its set: later calls of async_find then take two
  /// hops at most. Collective.
  ///     tasuki::DisjointSet<int> sets;
  ///     sets.async_union(1, 2);
  ///     sets.compress();
  void compress() {
    // Each round halves the ways to the representatives (Shiloach and Vishkin 1982).
    do {
      member_.complete("compress");
      has_changed_ = false;
      // Asking may wait for room, and an item that arrives meanwhile would move the others.
      member_.iterate([&] {
        for (const auto& [item, parent] : parents_) {
          if (parent != item) ask_for_grandparent(item, parent);
        }
      });
      member_.complete("compress");
    } while (allreduce(has_changed_, LogicalOr{}, team()));
  }
  void clear() {
    member_.complete("clear");
    parents_.clear();
    barrier(team());  // What a rank inserts next must not be lost on one that comes later.
  }
  /// As those of HashMap.
  ///     tasuki::DisjointSet<int> sets;
  ///     sets.async_union(1, 2);
  ///     sets.save("tasuki-sets");
  ///     sets.load("tasuki-sets");
  ///     if (tasuki::rank() == 0) std::remove("tasuki-sets");
  void save(const std::string& path) {
    member_.complete("save");
    const auto pairs = [this] {
      return std::vector<std::pair<Item, Item>>(parents_.begin(), parents_.end());
    };
    containers::write_values(path, kind, pairs, team());
  }
  void load(const std::string& path) {
    member_.complete("load");
    const auto mine = containers::read_values<std::pair<Item, Item>>(path, kind, team());
    clear();
    for (const auto& [item, parent] : mine) async_union(item, parent);
    member_.complete("load");
  }

  /// For the library.
  containers::Member& member() noexcept { return member_; }

 private:
  // Every parent ranks higher than its child, so there are no cycles, whatever arrives in which
  // order. The ranks are as good as random, so that the ways up are short (Goel and others,
  // "Disjoint set union with randomized linking", 2014).

  static bool is_lower(const Item& one, const Item& other) {
    const std::uint64_t a = containers::mixed(~std::uint64_t{Hash{}(one)});
    const std::uint64_t b = containers::mixed(~std::uint64_t{Hash{}(other)});
    return a != b ? a < b : one < other;
  }
  Item local_parent(const Item& item) const {
    const auto found = parents_.find(item);
    return found == parents_.end() ? item : found->second;
  }
  template <class F, class... Values>
  void send(const Item& item, F f, const Values&... values) {
    member_.template post<DisjointSet>(owner(item), f, item, values...);
  }
  void unite(const Item& one, const Item& other) {
    send(
        one,
        [](DisjointSet& sets, const Item& low, const Item& high) { sets.local_unite(low, high); },
        other);
  }
  /// Makes `other` the parent of this rank's `one` where that is right, and sends the rest of the
  /// work up: the lower of the two items rises with each step.
  void local_unite(const Item& one, const Item& other) {
    Item& parent = parents_.try_emplace(one, one).first->second;
    if (one == other || parent == other) return;
    if (is_lower(other, one)) return unite(other, one);
    const Item before = parent;
    if (before == one || is_lower(before, other)) parent = other;
    if (before == one) return;
    is_lower(before, other) ? unite(before, other) : unite(other, before);
  }
  void ask_for_grandparent(const Item& item, const Item& parent) {
    send(
        parent,
        [](DisjointSet& sets, const Item& middle, const Item& low) {
          const Item top = sets.local_parent(middle);
          if (top != middle) sets.tell_grandparent(low, top);
        },
        item);
  }
  void tell_grandparent(const Item& item, const Item& top) {
    send(
        item,
        [](DisjointSet& sets, const Item& low, const Item& high) {
          sets.parents_.find(low)->second = high;
          sets.has_changed_ = true;
        },
        top);
  }

  std::unordered_map<Item, Item, Hash> parents_;
  bool has_changed_ = false;
  containers::Member member_;  ///< The last: once it is there, other ranks call.
};

}  // namespace tasuki
