// A ring of bytes between a thread that fills it and one that drains it whenever it is nearly full,
// as the buffering method of Ogawa et al. (1998) has it.
//
// Used by the front end, which fills it from a client while it drains it to the ranks, or the other
// way round. Thread-safety: one thread fills and one drains; any thread gives up.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace tasuki::rpc {

/// Both threads know which numbers go through the ring, in which order, and say how many bytes a
/// number has: it lies in the ring in one piece.
class RingBuffer {
 public:
  /// Draining begins when `drain_bytes` are there, and goes on until nothing is.
  /// Requires: `bytes` is a multiple of 16, and more than `drain_bytes`.
  RingBuffer(std::size_t bytes, std::size_t drain_bytes);

  // By the thread that fills:
  /// Numbers of another array follow.
  void begin_filling_array();
  /// Waits until there is room. Returns: room for whole numbers, one at least. Throws
  /// tasuki::error if the other thread has given up.
  std::span<std::byte> room(std::size_t number_bytes);
  void fill(std::size_t bytes);
  /// Nothing more will come: what is there may be drained.
  void end_filling();

  // By the thread that drains:
  void begin_draining_array();
  /// Waits until enough is there. Returns: whole numbers, one at least. Throws like `room`.
  std::span<const std::byte> content(std::size_t number_bytes);
  void drain(std::size_t bytes);

  /// The other thread need not wait.
  void give_up() noexcept;

 private:
  using Lock = std::unique_lock<std::mutex>;

  /// From a position to the end of `bytes`, or of the ring's memory.
  std::size_t whole_bytes(std::int64_t position, std::int64_t bytes,
                          std::size_t number_bytes) const;
  std::int64_t used_bytes() const noexcept { return filled_ - drained_; }
  void check_not_given_up() const;

  const std::int64_t capacity_bytes_;
  const std::int64_t drain_bytes_;
  std::unique_ptr<std::byte[]> memory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_; positions count all bytes since the begin, those between arrays included:
  std::int64_t filled_ = 0;
  std::int64_t drained_ = 0;
  bool is_draining_ = false;
  bool is_all_there_ = false;
  bool has_given_up_ = false;
};

}  // namespace tasuki::rpc
