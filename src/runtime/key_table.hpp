// A table that usually holds few entries and sometimes very many.
//
// Few lie in a row and are looked at one after the other, which takes less than to hash a key; what
// comes beyond them is hashed. Used by the collectives for transfers whose other end is not there
// yet. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki::runtime {

/// `Hash` is a function object of Key. No two entries have the same key.
template <class Key, class Value, class Hash>
class KeyTable {
 public:
  /// A handful of fibers, each with a collective of some rounds.
  static constexpr std::size_t row_most = 16;

  void insert(const Key& key, Value value) {
    if (row_.size() < row_most) {
      row_.emplace_back(key, std::move(value));
    } else {
      rest_.emplace(key, std::move(value));
    }
  }

  /// Returns: the entry's value, taken out, or nothing.
  std::optional<Value> take(const Key& key) {
    for (auto& entry : row_) {
      if (!(entry.first == key)) continue;
      std::optional<Value> value(std::move(entry.second));
      if (&entry != &row_.back()) entry = std::move(row_.back());
      row_.pop_back();
      return value;
    }
    if (rest_.empty()) return std::nullopt;
    const auto found = rest_.find(key);
    if (found == rest_.end()) return std::nullopt;
    std::optional<Value> value(std::move(found->second));
    rest_.erase(found);
    return value;
  }

  bool empty() const noexcept { return row_.empty() && rest_.empty(); }
  std::size_t size() const noexcept { return row_.size() + rest_.size(); }

 private:
  std::vector<std::pair<Key, Value>> row_;
  std::unordered_map<Key, Value, Hash> rest_;
};

}  // namespace tasuki::runtime
