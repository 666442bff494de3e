// Where the keys of a pass go: the segment of the whole set that each rank's keys of each digit
// fill.
//
// Made by the sorter in every pass from the histograms of all ranks; used by the communication.
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/partition.hpp"

namespace tasuki::radixsort {

class PassLayout {
 public:
  /// `counts[rank * radix + digit]` keys of `rank` have that digit.
  PassLayout(std::span<const std::int64_t> counts, std::int64_t radix);

  /// Places of the keys of `rank` that have `digit`: after all keys with smaller digits and those
  /// of lower ranks, which keeps the order of equal digits.
  apps::Range segment(std::size_t rank, std::size_t digit) const noexcept {
    return segments_[rank * radix_ + digit];
  }
  std::size_t radix() const noexcept { return radix_; }

 private:
  std::size_t radix_;
  std::vector<apps::Range> segments_;
};

/// The part of `one` that lies in `other`; empty if none does.
apps::Range intersection(apps::Range one, apps::Range other) noexcept;

}  // namespace tasuki::radixsort
