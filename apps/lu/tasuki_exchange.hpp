// LU's communication over Tasuki.
//
// A panel goes by remote writes into known buffers of all ranks, each of which is signalled; a
// buffer is written again when all ranks have signalled that they are done with it.
//
// An Exchange (factorisation.hpp) of the program lu_tasuki and of the served routines.
// Thread-safety: one per rank, from its own thread; making one is collective.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/measurement.hpp"
#include "common/tasuki_program.hpp"
#include "lu/panel.hpp"

namespace tasuki::lu {

/// A counter for each rank that signals here, to be awaited in turn.
class Signals {
 public:
  Signals()
      : lines_(static_cast<std::size_t>(size())),
        everywhere_(allgather(lines_.pointer())),
        awaited_(lines_.size()) {}

  /// What this rank increases at `target`.
  GlobalPtr<std::uint64_t> at(int target) const {
    return (everywhere_[static_cast<std::size_t>(target)] + rank()).member(&Line::count);
  }
  /// Waits for one more signal of `source`.
  void wait(int source) {
    const auto index = static_cast<std::size_t>(source);
    wait_signal(&lines_.data()[index].count, ++awaited_[index]);
  }

 private:
  /// A cache line of its own: a waiting rank reads it all the time.
  struct alignas(64) Line {
    std::uint64_t count = 0;
  };

  apps::SharedArray<Line> lines_;
  std::vector<GlobalPtr<Line>> everywhere_;
  std::vector<std::uint64_t> awaited_;
};

class TasukiExchange {
 public:
  TasukiExchange(const Layout& layout, bool split)
      : layout_(layout),
        room_size_(most_panel_size(layout)),
        rooms_(depth * room_size_),
        rooms_everywhere_(allgather(rooms_.pointer())),
        stopwatch_(apps::now_s, split) {}

  apps::Stopwatch& stopwatch() noexcept { return stopwatch_; }
  void barrier() { tasuki::barrier(); }

  std::span<double> room(int index) {
    if (index >= depth) {
      const apps::Stopwatch::Wait clocked(stopwatch_);
      for (int source = 0; source < size(); ++source) released_.wait(source);
    }
    return {rooms_.data() + offset(index), panel_size(layout_, index)};
  }

  void send(int index) {
    const apps::Stopwatch::Communication clocked(stopwatch_);
    const std::size_t count = panel_size(layout_, index);
    const double* from = rooms_.data() + offset(index);
    for (int step = 1; step < size(); ++step) {  // The owner of the next panel first.
      const int to = (rank() + step) % size();
      stopwatch_.count(1, count * sizeof(double));
      const GlobalPtr<double> room = rooms_everywhere_[static_cast<std::size_t>(to)];
      (room + offset(index)).nwrite_signal(from, count, arrived_.at(to));
    }
  }

  void expect(int) {}

  std::span<const double> receive(int index) {
    if (layout_.owner(index) != rank()) {
      const apps::Stopwatch::Wait clocked(stopwatch_);
      arrived_.wait(layout_.owner(index));
    }
    return {rooms_.data() + offset(index), panel_size(layout_, index)};
  }

  void release(int index) {
    const int heir = index + depth;
    if (heir >= layout_.block_count()) return;
    const apps::Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, 0);
    const int owner = layout_.owner(heir);
    const GlobalPtr<double> room = rooms_everywhere_[static_cast<std::size_t>(owner)];
    room.nwrite_signal(nullptr, 0, released_.at(owner));
  }

  void progress() { yield(); }

  void sum(std::span<double> values) { allreduce(std::span<const double>(values), values, Sum()); }

 private:
  /// Panels that may be under way or in use at a time: with a look-ahead of one, the slowest rank
  /// may still use a panel while its neighbour sends the one after the next.
  static constexpr int depth = 4;

  std::ptrdiff_t offset(int index) const noexcept {
    return index % depth * static_cast<std::ptrdiff_t>(room_size_);
  }

  Layout layout_;
  std::size_t room_size_;
  apps::SharedArray<double> rooms_;
  std::vector<GlobalPtr<double>> rooms_everywhere_;
  Signals arrived_;
  Signals released_;
  apps::Stopwatch stopwatch_;
};

}  // namespace tasuki::lu
