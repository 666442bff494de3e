// What other threads of the process hand to a rank's thread, which runs it when its fibers wait.
//
// `rank_thread.hpp` adds work, from any thread; the rank's poller begins it. World makes one object
// for each rank of the process. Thread-safety: as each function says.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <tasuki/detail/transport/arrivals.hpp>
#include <vector>

namespace tasuki::runtime {

struct Rank;

/// Something to be begun on the rank's thread; it is destroyed there.
class ThreadWork {
 public:
  virtual ~ThreadWork() = default;
  /// Does not wait: what may wait is spawned.
  virtual void begin() = 0;
};

class ThreadWorks {
 public:
  /// Requires: the rank's transport has started.
  explicit ThreadWorks(Rank& self);
  ~ThreadWorks();
  ThreadWorks(const ThreadWorks&) = delete;
  ThreadWorks& operator=(const ThreadWorks&) = delete;

  /// From any thread: to the rank that has started it, else to the only one of the process. Throws
  /// tasuki::error if there is none, its job is over, or there are several.
  static void hand_over(std::unique_ptr<ThreadWork> work);

  /// As long as it lives, what the calling thread hands over is for this rank.
  class Home {
   public:
    explicit Home(ThreadWorks& works) noexcept { home_ = &works; }
    Home(const Home&) = delete;
    Home& operator=(const Home&) = delete;
    ~Home() { home_ = nullptr; }
  };

  /// From any thread. Wakes the rank if it sleeps.
  void add(std::unique_ptr<ThreadWork> work);

  // ---- from the rank's own thread -------------------------------------------------------------
  /// Begins what has been added. Returns: was there any?
  bool begin_added() { return is_any_.load(std::memory_order_relaxed) && begin_all(); }
  /// Counted for quiescence: what has been added since the start, and what of it has been begun.
  std::uint64_t added_count() const noexcept {
    return added_count_.load(std::memory_order_relaxed);
  }
  std::uint64_t begun_count() const noexcept { return begun_count_; }
  /// From here on only threads that the rank has started may add. What others have added before is
  /// in `added_count`.
  void refuse_strangers() noexcept;
  void note_started() noexcept {
    is_used_.store(true, std::memory_order_relaxed);
    ++running_count_;
  }
  void note_ended() noexcept { --running_count_; }
  /// Threads that the rank has started.
  std::size_t running_count() const noexcept { return running_count_; }
  bool is_any() const noexcept { return is_any_.load(std::memory_order_relaxed); }
  /// Has any thread ever handed anything over, or may one that runs do so? Where nobody can wake
  /// the rank, it must not sleep for long then.
  bool is_used() const noexcept { return is_used_.load(std::memory_order_relaxed); }

 private:
  bool begin_all();

  static constinit thread_local ThreadWorks* home_;

  transport::Arrivals& arrivals_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadWork>> added_;  ///< Guarded by `mutex_`.
  bool refuses_strangers_ = false;                  ///< Guarded by the mutex of the registry.
  std::atomic<std::uint64_t> added_count_ = 0;
  std::uint64_t begun_count_ = 0;
  std::atomic<bool> is_any_ = false;
  std::atomic<bool> is_used_ = false;
  std::size_t running_count_ = 0;
};

}  // namespace tasuki::runtime
