// A map whose keys are spread over the ranks of a team by their hash.
//
// Every rank makes the same maps in the same order. Operations are named by who takes part:
// `async_` ones are called by any rank for any key, return at once, and run on the rank that owns
// the key; `local_` ones concern this rank's own keys; all others are collective, and first wait
// for the asynchronous operations that any rank has begun. `quiesce` waits for these, too.
//
// Operations of one rank on one key start in the order in which they were called. While a rank
// iterates, asynchronous operations wait, and start in their order when the iteration ends: so an
// iteration sees what was there when it began, whatever others insert. Only `async_find` is
// answered at once even then, without what waits.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/detail/containers/member.hpp>
#include <tasuki/detail/containers/owner.hpp>
#include <tasuki/detail/containers/parts_file.hpp>
#include <tasuki/detail/containers/stable_table.hpp>
#include <tasuki/team.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki {

/// Keys and values may be of any types that calls may have as arguments; a value that is inserted
/// without one, by a visit, is `Value{}`. `Hash` must give the same number on all ranks.
/// Example: examples/hash_map.cpp
///     tasuki::HashMap<std::string, int> ages;
///     ages.async_insert("Midori", 31);
///     ages.async_insert_or_assign("Midori", 32);
///     ages.async_visit("Midori", [](const std::string&, int& age) { ++age; });
///     const auto add = [](const std::string&, int& age, int years) { age += years; };
///     ages.async_visit_or_insert("Jun", add, 7);
///     ages.async_reduce("Jun", 1, tasuki::Sum{});
///     const std::size_t people = ages.size();  // 2, on all ranks
///     const std::optional<int> age = ages.async_find("Jun").get();
///     if (ages.is_own("Jun")) ages.local_insert_or_assign("Jun", *ages.local_find("Jun") + 1);
///     ages.for_all([](const std::string&, int& years) { years += 1; });
///     int sum = 0;
///     ages.local_for_all([&](const std::string&, int years) { sum += years; });
///     const bool is_alone = ages.team().size() == 1 || ages.local_size() == 2;
///     ages.async_erase("Midori");
///     ages.clear();
template <class Key, class Value, class Hash = std::hash<Key>>
class HashMap {
 public:
  using key_type = Key;
  using mapped_type = Value;
  using value_type = std::pair<Key, Value>;
  /// For the library: what errors call it.
  static constexpr const char* kind = "HashMap";

  /// Collective over the team. Throws tasuki::error if the team is empty.
  explicit HashMap(const Team& team = world_team()) : member_(kind, this, team) {}

  const Team& team() const noexcept { return member_.team(); }
  /// The rank, in the team, that has the key if any has it.
  ///     tasuki::HashMap<int, int> map;
  ///     const bool same = map.is_own(7) == (map.owner(7) == map.team().rank());
  int owner(const Key& key) const { return containers::rank_of_hash(Hash{}(key), member_.ranks()); }
  bool is_own(const Key& key) const { return owner(key) == member_.rank(); }

  // ---- async_ ---------------------------------------------------------------------------------
  /// A key that is there keeps its value.
  void async_insert(const Key& key, const Value& value) {
    send(
        key,
        [](HashMap& map, Key&& k, Value&& v) {
          map.local_.try_emplace(std::move(k), std::move(v));
        },
        value);
  }
  void async_insert_or_assign(const Key& key, const Value& value) {
    send(
        key, [](HashMap& map, Key&& k, Value&& v) { map.assign(std::move(k), std::move(v)); },
        value);
  }
  void async_erase(const Key& key) {
    send(key, [](HashMap& map, const Key& k) { map.local_.erase(k); });
  }
  /// Runs `f(key, value, args...)`, or `f(map, key, value, args...)`, on the rank that has the key;
  /// nothing if none has it. `f` may change the value, call asynchronous operations of this and
  /// other containers, and wait; an element must not be erased while a function that waits has it.
  template <class F, class... Args>
  void async_visit(const Key& key, F f, const Args&... args) {
    if constexpr (VisitCheck<F, Args...>::is_allowed) {
      member_.check_captures("async_visit", f);
      send(
          key,
          [](HashMap& map, const Key& k, F visitor, const Args&... values) {
            if (auto* const found = map.local_.find(k)) map.visit(*found, visitor, values...);
          },
          f, args...);
    }
  }
  /// The same, and inserts `Value{}` first if the key is not there.
  template <class F, class... Args>
  void async_visit_or_insert(const Key& key, F f, const Args&... args) {
    if constexpr (VisitCheck<F, Args...>::is_allowed) {
      member_.check_captures("async_visit_or_insert", f);
      send(
          key,
          [](HashMap& map, Key&& k, F visitor, const Args&... values) {
            map.visit(*map.local_.try_emplace(std::move(k)).first, visitor, values...);
          },
          f, args...);
    }
  }
  /// Makes the key's value `op(value there, value)`; `value` alone if the key is not there.
  template <class Op>
  void async_reduce(const Key& key, const Value& value, Op op) {
    if constexpr (runtime::CaptureCheck<Op>::is_allowed) {
      member_.check_captures("async_reduce", op);
      send(
          key,
          [](HashMap& map, Key&& k, const Value& v, Op combine) {
            const auto [place, is_new] = map.local_.try_emplace(std::move(k), v);
            if (!is_new) place->second = combine(std::as_const(place->second), v);
          },
          value, op);
    }
  }
  /// A copy of the key's value; nothing if it is not there.
  Future<std::optional<Value>> async_find(const Key& key) const {
    return member_.template ask<HashMap>(
        owner(key),
        [](const HashMap& map, const Key& k) {
          const auto* const found = map.local_.find(k);
          return found == nullptr ? std::optional<Value>() : found->second;
        },
        key);
  }

  // ---- local_ ---------------------------------------------------------------------------------
  std::size_t local_size() const noexcept { return local_.size(); }
  /// Returns: this rank's value, nullptr if the key is not there. Throws tasuki::error, as all that
  /// take a key here, if the key is another rank's.
  Value* local_find(const Key& key) {
    member_.require_own(owner(key), "local_find");
    auto* const found = local_.find(key);
    return found == nullptr ? nullptr : &found->second;
  }
  /// Throws tasuki::error also while this rank iterates.
  void local_insert_or_assign(const Key& key, Value value) {
    member_.require_own(owner(key), "local_insert_or_assign");
    member_.require_no_iteration("local_insert_or_assign");
    assign(key, std::move(value));
  }
  /// `f(key, value)` for each of this rank's elements, in no order. `f` may change the value.
  template <class F>
  void local_for_all(F f) {
    member_.iterate([&] { local_.for_each(f); });
  }

  // ---- collective -----------------------------------------------------------------------------
  /// local_for_all on every rank: of what is there when all that was begun is done.
  template <class F>
  void for_all(F f) {
    member_.iterate_together("for_all", [&] { local_for_all(std::move(f)); });
  }
  /// Of all ranks together.
  std::size_t size() {
    member_.complete("size");
    return allreduce(local_.size(), Sum{}, team());
  }
  void clear() {
    member_.complete("clear");
    local_.clear();
    barrier(team());  // What a rank inserts next must not be lost on one that comes later.
  }
  /// Returns, on all ranks: the `count` elements that come first by `comes_first(a, b)`, a and b
  /// being pairs of key and value; fewer if there are fewer.
  ///     tasuki::HashMap<int, double> scores;
  ///     scores.async_insert(tasuki::rank(), 0.5 * tasuki::rank());
  ///     const auto best = scores.top_k(
  ///         3, [](const auto& a, const auto& b) { return a.second > b.second; });
  template <class Less>
  std::vector<value_type> top_k(std::size_t count, Less comes_first) {
    member_.complete("top_k");
    std::vector<value_type> mine = local_first(count, comes_first);
    std::vector<value_type> all = containers::allgather_values(mine, team());
    std::sort(all.begin(), all.end(), comes_first);
    if (all.size() > count) all.resize(count);
    return all;
  }
  /// `save` writes all elements to one file, each rank its own. `load` replaces all by those of a
  /// file that a map of the same types has saved, on any number of ranks. Both throw the same
  /// tasuki::error on all ranks if that fails, or it is no such file.
  ///     tasuki::HashMap<int, std::string> names;
  ///     names.async_insert(tasuki::rank(), "a rank");
  ///     names.save("tasuki-names");
  ///     names.load("tasuki-names");
  ///     if (tasuki::rank() == 0) std::remove("tasuki-names");
  void save(const std::string& path) {
    member_.complete("save");
    containers::write_values(
        path, kind, [this] { return local_elements(); }, team());
  }
  void load(const std::string& path) {
    member_.complete("load");
    const auto mine = containers::read_values<value_type>(path, kind, team());
    clear();
    for (const auto& [key, value] : mine) async_insert(key, value);
    member_.complete("load");
  }

  /// For the library.
  containers::Member& member() noexcept { return member_; }

 private:
  template <class F, class... Args>
  static constexpr bool takes_map =
      std::is_invocable_v<F&, HashMap&, const Key&, Value&, const Args&...>;

  /// Asked before anything of a visit is compiled: whether F can be called for an element.
  template <class F, class... Args>
  struct VisitCheck {
    static constexpr bool is_visitor =
        takes_map<F, Args...> || std::is_invocable_v<F&, const Key&, Value&, const Args&...>;
    static constexpr bool is_allowed = is_visitor && runtime::CaptureCheck<F>::is_allowed;
    static_assert(is_visitor,
                  "tasuki: the function of a visit is called as f(const Key&, Value&, args...) or "
                  "f(HashMap&, const Key&, Value&, args...). The arguments arrive as values of "
                  "their own, so a parameter for one must be T or const T&, not T&.");
  };
  template <class Element, class F, class... Args>
  void visit(Element& element, F& f, const Args&... args) {
    if constexpr (takes_map<F, Args...>) {
      f(*this, element.first, element.second, args...);
    } else {
      f(element.first, element.second, args...);
    }
  }
  template <class F, class... Values>
  void send(const Key& key, F f, const Values&... values) {
    member_.template post<HashMap>(owner(key), f, key, values...);
  }
  template <class AnyKey>
  void assign(AnyKey&& key, Value&& value) {
    const auto [element, is_new] = local_.try_emplace(std::forward<AnyKey>(key), std::move(value));
    if (!is_new) element->second = std::move(value);
  }
  std::vector<value_type> local_elements() {
    std::vector<value_type> mine;
    mine.reserve(local_.size());
    local_.for_each([&](const Key& key, const Value& value) { mine.emplace_back(key, value); });
    return mine;
  }
  /// This rank's elements that may be among the first `count` of all.
  template <class Less>
  std::vector<value_type> local_first(std::size_t count, Less& comes_first) {
    std::vector<value_type> mine = local_elements();
    const std::size_t kept = std::min(count, mine.size());
    const auto end = mine.begin() + static_cast<std::ptrdiff_t>(kept);
    std::partial_sort(mine.begin(), end, mine.end(), comes_first);
    mine.resize(kept);
    return mine;
  }

  /// Values stay where they are while others are inserted, for visits may wait.
  containers::StableTable<Key, Value, Hash> local_;
  containers::Member member_;  ///< The last: once it is there, other ranks call.
};

}  // namespace tasuki
