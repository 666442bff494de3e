// What a rank keeps for each other rank, made for those that it has to do with: memory grows with
// them, and hardly with all ranks of the job.
//
// Entries of neighbouring ranks lie in one page, which is made when the first of them is asked for.
// An entry that is not there is as one that was just made. Addresses of entries stay.
// Thread-safety: none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tasuki/detail/base/memory_account.hpp>
#include <vector>

namespace tasuki::base {

template <class T>
class PeerTable {
 public:
  static constexpr std::size_t page_ranks = 8;

  explicit PeerTable(int ranks_count)
      : pages_((static_cast<std::size_t>(ranks_count) + page_ranks - 1) / page_ranks) {}

  /// Makes the entry if need be.
  T& operator[](int rank) {
    std::unique_ptr<T[]>& page = pages_[static_cast<std::size_t>(rank) / page_ranks];
    if (page == nullptr) [[unlikely]]
      page = std::make_unique<T[]>(page_ranks);
    return page[static_cast<std::size_t>(rank) % page_ranks];
  }
  /// nullptr: it has not been made.
  const T* find(int rank) const noexcept {
    const std::unique_ptr<T[]>& page = pages_[static_cast<std::size_t>(rank) / page_ranks];
    return page == nullptr ? nullptr : &page[static_cast<std::size_t>(rank) % page_ranks];
  }
  /// Calls `body(rank, entry)` for each entry that is there, and a few as new in between; what it
  /// calls may make others.
  template <class Body>
  void for_each(Body body) {
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      for (std::size_t i = 0; pages_[page] != nullptr && i < page_ranks; ++i) {
        body(static_cast<int>(page * page_ranks + i), pages_[page][i]);
      }
    }
  }

  /// Of a table with this name; what entries allocate themselves is not in it.
  static constexpr MemoryAccount account(const char* structure) noexcept {
    return {structure, 0, sizeof(std::unique_ptr<T[]>) / page_ranks, page_ranks * sizeof(T)};
  }
  MemoryUse use(const MemoryAccount& account) const noexcept {
    const auto is_there = [](const auto& page) { return page != nullptr; };
    const auto pages_count = static_cast<std::size_t>(std::ranges::count_if(pages_, is_there));
    return {account, pages_.size() * page_ranks, pages_count * page_ranks * sizeof(T)};
  }

 private:
  std::vector<std::unique_ptr<T[]>> pages_;
};

}  // namespace tasuki::base
