// A table that usually holds few entries and sometimes very many.
//
// Few lie in a row and are searched one after the other, which takes less than to hash a key; what
// comes beyond them is hashed. Used by the collectives for transfers whose other end is not there
// yet. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki::runtime {

/// An Entry has a `key`, which no other entry has; Hash is a function object of it.
template <class Entry, class Hash>
class KeyTable {
 public:
  using Key = decltype(Entry::key);
  /// A handful of fibers, each with a collective of some transfers.
  static constexpr std::size_t row_most = 16;

  /// Returns: a new entry, until the table changes. Its key is to be filled in before that.
  Entry& add() {
    if (row_.size() >= row_most) move_beyond();
    return row_.emplace_back();
  }
  /// Returns: the entry, until the table changes, or nullptr.
  Entry* find(const Key& key) {
    for (Entry& entry : row_) {
      if (entry.key == key) return &entry;
    }
    return beyond_.empty() ? nullptr : fetch(key);
  }
  /// Requires: `find` returned it last.
  void erase(Entry* found) {
    if (found != &row_.back()) *found = std::move(row_.back());
    row_.pop_back();
  }
  bool empty() const noexcept { return row_.empty() && beyond_.empty(); }

 private:
  [[gnu::noinline, gnu::cold]] void move_beyond() {
    const Key key = row_.back().key;
    beyond_.emplace(key, std::move(row_.back()));
    row_.pop_back();
  }
  /// Brings the entry into the row, where it is one too many until it is erased.
  [[gnu::noinline]] Entry* fetch(const Key& key) {
    const auto found = beyond_.find(key);
    if (found == beyond_.end()) return nullptr;
    row_.push_back(std::move(found->second));
    beyond_.erase(found);
    return &row_.back();
  }

  std::vector<Entry> row_;
  std::unordered_map<Key, Entry, Hash> beyond_;
};

}  // namespace tasuki::runtime
