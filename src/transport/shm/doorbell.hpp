// The word on which a rank sleeps and by which the others wake it, without losing a wake-up.
//
// Lives in shared memory, one per rank. Its owner arms it, polls everything it waits for once
// more, and sleeps; the others write what they have to say and ring. Arming orders the two sides:
// with `membarrier` the others pay one load per message and no fence. The argument is in
// docs/design/shm-protocol.md.
// Thread-safety: `arm`, `disarm`, `sleep` by the owner, `ring` by anybody.
#pragma once

#include <atomic>
#include <cstdint>
#include <tasuki/detail/base/full_fence.hpp>

#include "transport/shm/ring.hpp"

namespace tasuki::transport::shm {

/// Who pays for the order between "I have written" and "is it asleep?": the sleeper, by a system
/// call that makes every other rank's processor pass a fence, or the writer, by a fence.
enum class WakeOrder : std::uint32_t { by_membarrier, by_writer_fence };

/// Tells the kernel that this process takes part; by_writer_fence if the kernel has no such call.
/// All ranks use by_writer_fence if one of them has to.
WakeOrder register_wake_order() noexcept;

class alignas(line_bytes) Doorbell {
 public:
  /// Wakes the owner if it is asleep or about to be; else one load. What the caller wrote before
  /// is seen by the owner before it sleeps.
  void ring(WakeOrder order) noexcept {
    if (order == WakeOrder::by_membarrier) [[likely]] {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      base::full_fence();
    }
    if (word_.load(std::memory_order_relaxed) != awake) [[unlikely]]
      wake();
  }

  /// From here on rings are noticed: whatever was written before a ring that came too early for
  /// `sleep` to notice is visible after this call.
  void arm(WakeOrder order) noexcept;
  void disarm() noexcept { word_.store(awake, std::memory_order_relaxed); }
  /// Has nobody rung since `arm`?
  bool armed() const noexcept { return word_.load(std::memory_order_acquire) == asleep; }
  /// Sleeps until somebody rings or `most_us` are over; at once if somebody rang since `arm`.
  /// The bell is disarmed afterwards. Returns: did somebody ring?
  bool sleep(std::int64_t most_us) noexcept;

 private:
  static constexpr std::uint32_t awake = 0;
  static constexpr std::uint32_t asleep = 1;

  void wake() noexcept;

  std::atomic<std::uint32_t> word_;
};
static_assert(sizeof(Doorbell) == line_bytes);

}  // namespace tasuki::transport::shm
