// The radix sort's communication over Tasuki: keys move as remote writes into the shared arrays of
// their owners, counts by allgather.
//
// An Exchange (sorter.hpp) of the program radixsort_tasuki and of the served routines.
// Thread-safety: one per rank, from its own thread; making one is collective.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/measurement.hpp"
#include "common/tasuki_program.hpp"
#include "radixsort/sorter.hpp"

namespace tasuki::radixsort {

class TasukiExchange {
 public:
  /// The keys are divided evenly.
  TasukiExchange(apps::Range all, bool split) : TasukiExchange(even_parts(all), split) {}
  /// `parts` are each rank's places, one after the other.
  TasukiExchange(std::vector<apps::Range> parts, bool split)
      : parts_(std::move(parts)),
        places_(parts_[static_cast<std::size_t>(rank())]),
        owned_(static_cast<std::size_t>(places_.size())),
        target_(static_cast<std::size_t>(places_.size())),
        stopwatch_(apps::now_s, split) {
    owned_everywhere_ = allgather(owned_.pointer());
    target_everywhere_ = allgather(target_.pointer());
  }

  apps::Stopwatch& stopwatch() noexcept { return stopwatch_; }
  apps::Range places() const noexcept { return places_; }
  std::span<Key> keys() noexcept { return swapped_ ? view(target_) : view(owned_); }
  void barrier() { tasuki::barrier(); }

  std::vector<std::int64_t> gather_counts(std::span<const std::int64_t> counts) {
    if (stopwatch_.is_split()) wait_for_all();
    const apps::Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, counts.size_bytes());
    std::vector<std::int64_t> all(counts.size() * parts_.size());
    allgather(counts, std::span(all));
    return all;
  }

  void open_pass(const PassLayout&) {}

  void write(Block block) {
    const auto& targets = swapped_ ? owned_everywhere_ : target_everywhere_;
    while (!block.keys.empty()) {
      const std::size_t owner = owner_of(block.place);
      const apps::Range part = parts_[owner];
      const std::size_t count =
          std::min(block.keys.size(), static_cast<std::size_t>(part.end - block.place));
      const GlobalPtr<Key> at = targets[owner] + (block.place - part.begin);
      if (at.rank() == rank()) {
        std::copy_n(block.keys.data(), count, at.raw());
      } else {
        const apps::Stopwatch::Communication clocked(stopwatch_);
        stopwatch_.count(1, count * sizeof(Key));
        at.nwrite(block.keys.data(), count);
      }
      block.keys = block.keys.subspan(count);
      block.place += static_cast<std::int64_t>(count);
    }
  }

  /// Nobody writes into the arrays read in this pass before all have read them: the barrier is
  /// that of the next pass too.
  void close_pass() {
    {
      const apps::Stopwatch::Communication clocked(stopwatch_);
      fence();
    }
    wait_for_all();
    swapped_ = !swapped_;
  }

 private:
  static std::vector<apps::Range> even_parts(apps::Range all) {
    std::vector<apps::Range> parts;
    for (int rank = 0; rank < size(); ++rank) parts.push_back(apps::part_of(all, rank, size()));
    return parts;
  }
  static std::span<Key> view(apps::SharedArray<Key>& array) { return {array.begin(), array.end()}; }

  void wait_for_all() {
    const apps::Stopwatch::Wait clocked(stopwatch_);
    tasuki::barrier();
  }

  std::size_t owner_of(std::int64_t place) const {
    std::size_t owner = 0;
    while (place >= parts_[owner].end) ++owner;
    return owner;
  }

  std::vector<apps::Range> parts_;
  apps::Range places_;
  apps::SharedArray<Key> owned_;
  apps::SharedArray<Key> target_;
  std::vector<GlobalPtr<Key>> owned_everywhere_;
  std::vector<GlobalPtr<Key>> target_everywhere_;
  bool swapped_ = false;  ///< Are the keys in `target_`?
  apps::Stopwatch stopwatch_;
};

}  // namespace tasuki::radixsort
