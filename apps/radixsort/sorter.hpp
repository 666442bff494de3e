// Radix sort on one rank, least significant digit first: in each pass the keys are counted by
// digit, the counts of all ranks are exchanged, and every key moves straight to its place in the
// whole set, wherever that lies.
//
// Algorithm: as on the cluster of the DIMMnet-1 paper (Mitsuhashi et al. 2002); keys of a digit are
// collected in a small block before they move, so that a remote write carries many. All
// communication goes through an Exchange. Thread-safety: one Sorter per rank; its calls are
// collective over the ranks of the exchange.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <vector>

#include "common/huge_array.hpp"
#include "radixsort/digit.hpp"
#include "radixsort/pass_layout.hpp"

namespace tasuki::radixsort {

/// Keys of one digit on their way.
struct Block {
  std::span<const Key> keys;
  std::int64_t place = 0;   ///< Of the first one, in the whole set.
  std::size_t grouped = 0;  ///< Of the first one, among this rank's keys in order of digits.
};

/// The communication of the sort; all but `write` is collective.
template <class E>
concept Exchange = requires(E exchange, std::span<const std::int64_t> counts,
                            const PassLayout& layout, const Block& block) {
  /// This rank's keys: before a pass those to be moved, after it those that came.
  { exchange.keys() } -> std::same_as<std::span<Key>>;
  /// Returns: the counts of all ranks, by rank.
  { exchange.gather_counts(counts) } -> std::same_as<std::vector<std::int64_t>>;
  exchange.open_pass(layout);
  exchange.write(block);
  /// All ranks' keys are where they belong.
  exchange.close_pass();
};

template <Exchange E>
class Sorter {
 public:
  Sorter(std::int64_t radix, int rank, E& exchange)
      : radix_(static_cast<std::size_t>(radix)),
        rank_(static_cast<std::size_t>(rank)),
        exchange_(exchange),
        block_keys_(std::max(least_block_keys, staged_keys / radix_)),
        staged_(radix_ * block_keys_),
        cursors_(radix_) {}

  /// Sorts the keys of all ranks; they then follow each other by rank.
  void sort() {
    for (int place = 0; place < digit_count(static_cast<std::int64_t>(radix_)); ++place)
      with_digit(static_cast<std::int64_t>(radix_), place,
                 [this](const auto& digit) { this->move_by(digit); });
  }

 private:
  /// Keys in the blocks of all digits together. (Xeon, Sapphire Rapids, one rank, 6,000,000 keys,
  /// radix 10, ns per key and pass with 2048 / 8192 / 32768 / 131072: 5.6 / 5.5 / 5.4 / 5.5.)
  static constexpr std::size_t staged_keys = 8192;
  /// No block has room for less: a remote write has its price, however small. (The same machine,
  /// two ranks, radix 256, ms for the sort with 128 / 512 / 1024: 61 / 51 / 55.)
  static constexpr std::size_t least_block_keys = 512;

  struct Cursor {
    std::int64_t place = 0;
    std::size_t grouped = 0;
    std::size_t staged = 0;
  };

  template <class Digit>
  void move_by(const Digit& digit) {
    std::vector<std::int64_t> counts(radix_);
    const std::span<const Key> keys = exchange_.keys();
    for (const Key key : keys) ++counts[digit(key)];
    const PassLayout layout(exchange_.gather_counts(counts), static_cast<std::int64_t>(radix_));
    std::size_t grouped = 0;
    for (std::size_t value = 0; value < radix_; ++value) {
      cursors_[value] = {layout.segment(rank_, value).begin, grouped, 0};
      grouped += static_cast<std::size_t>(counts[value]);
    }
    exchange_.open_pass(layout);
    for (const Key key : keys) {
      const std::size_t value = digit(key);
      std::size_t& staged = cursors_[value].staged;
      staged_[value * block_keys_ + staged] = key;
      if (++staged == block_keys_) flush(value);
    }
    for (std::size_t value = 0; value < radix_; ++value) flush(value);
    exchange_.close_pass();
  }

  void flush(std::size_t value) {
    Cursor& cursor = cursors_[value];
    if (cursor.staged == 0) return;
    const std::span<const Key> all(staged_);
    exchange_.write(
        {all.subspan(value * block_keys_, cursor.staged), cursor.place, cursor.grouped});
    cursor.place += static_cast<std::int64_t>(cursor.staged);
    cursor.grouped += cursor.staged;
    cursor.staged = 0;
  }

  std::size_t radix_;
  std::size_t rank_;
  E& exchange_;
  std::size_t block_keys_;
  apps::HugeArray<Key> staged_;
  std::vector<Cursor> cursors_;
};

}  // namespace tasuki::radixsort
