// The same sort on one rank, whose communication is a copy: what speed-ups are measured against.
//
// Called by rank 0 of each program with --speedup. Thread-safety: the exchange belongs to one
// thread.
#pragma once

#include <algorithm>

#include "radixsort/sorter.hpp"

namespace tasuki::radixsort {

class SequentialExchange {
 public:
  explicit SequentialExchange(std::int64_t key_count)
      : keys_(static_cast<std::size_t>(key_count)), target_(keys_.size()) {}

  std::span<Key> keys() noexcept { return keys_; }
  std::vector<std::int64_t> gather_counts(std::span<const std::int64_t> counts) {
    return {counts.begin(), counts.end()};
  }
  void open_pass(const PassLayout&) {}
  void write(const Block& block) {
    std::copy(block.keys.begin(), block.keys.end(), target_.begin() + block.place);
  }
  void close_pass() { keys_.swap(target_); }

 private:
  apps::HugeArray<Key> keys_;
  apps::HugeArray<Key> target_;
};

/// Returns: the time that sorting all keys takes, `now_s` being the clock in seconds.
inline double sequential_seconds(std::int64_t key_count, std::int64_t radix, double (*now_s)()) {
  SequentialExchange exchange(key_count);
  Sorter sorter(radix, 0, exchange);
  double start_s = 0;
  for (const bool timed : {false, true}) {  // The first sort touches all memory.
    generate_keys({0, key_count}, exchange.keys());
    if (timed) start_s = now_s();
    sorter.sort();
  }
  return now_s() - start_s;
}

}  // namespace tasuki::radixsort
