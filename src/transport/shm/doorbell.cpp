#include "transport/shm/doorbell.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace tasuki::transport::shm {
namespace {

long membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0); }

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) noexcept {
  return ::syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

}  // namespace

WakeOrder register_wake_order() noexcept {
  const long supported = membarrier(MEMBARRIER_CMD_QUERY);
  if (supported < 0 || (supported & MEMBARRIER_CMD_GLOBAL_EXPEDITED) == 0) {
    return WakeOrder::by_writer_fence;
  }
  return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0 ? WakeOrder::by_membarrier
                                                                   : WakeOrder::by_writer_fence;
}

void Doorbell::arm(WakeOrder order) noexcept {
  word_.store(asleep, std::memory_order_relaxed);
  base::full_fence();
  if (order == WakeOrder::by_membarrier) membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

bool Doorbell::sleep(std::int64_t most_us) noexcept {
  if (armed()) {
    const timespec timeout{most_us / 1'000'000, most_us % 1'000'000 * 1000};
    // Not a private futex: the ringer is another process.
    futex(word_, FUTEX_WAIT, asleep, &timeout);
  }
  // Acquire: with the ringer's exchange, so that what it wrote before is seen.
  return word_.exchange(awake, std::memory_order_acquire) == awake;
}

void Doorbell::wake() noexcept {
  // Only the first of several ringers has to make the system call.
  if (word_.exchange(awake, std::memory_order_release) == asleep) {
    futex(word_, FUTEX_WAKE, INT_MAX, nullptr);
  }
}

}  // namespace tasuki::transport::shm
