// The ranks of a watcher's own host, as the watcher sees them: who has come, who has finished, who
// is gone.
//
// Part of the watcher's process. Thread-safety: none. Only the constructor allocates memory.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::transport::watch {

class LocalRanks {
 public:
  /// `door` is the Unix socket at which they ask, `memory` the file that they are given.
  LocalRanks(std::vector<int> ranks, int door, int memory);

  /// Adds what is to be polled. Returns: how many entries of `events` are taken; it has room for
  /// `polled_most_count()`.
  std::size_t add_events(std::span<pollfd> events) const noexcept;
  std::size_t polled_most_count() const noexcept { return 1 + 2 * ranks_.size(); }
  /// Admits who asks, reads what ranks have sent, and checks which have ended.
  void take_events() noexcept;
  /// Nobody else comes: who has not, is gone.
  void close_door() noexcept;
  /// Has each of them finished its part of the job, or ended?
  bool all_done() const noexcept;
  /// Ends those that have not. Calls `on_killed(context, rank)` before.
  void kill_left(void (*on_killed)(void* context, int rank), void* context) noexcept;

 private:
  struct Rank {
    int rank = -1;
    int socket = -1;
    int process = -1;  ///< A descriptor; -1: its process cannot be seen from here.
    bool is_done = false;
  };

  void admit() noexcept;
  void finish(Rank& rank) noexcept;

  int door_;
  int memory_;
  std::vector<Rank> ranks_;
};

}  // namespace tasuki::transport::watch
