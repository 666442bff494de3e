#include "rpc/wire/wake_up.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <thread>

namespace tasuki::rpc {
namespace {

bool is_readable(const WakeUp& wake_up, int timeout_ms = 0) {
  pollfd one{wake_up.descriptor(), POLLIN, 0};
  return poll(&one, 1, timeout_ms) == 1;
}

TEST(WakeUpTest, IsReadableFromNotifyUntilClear) {
  WakeUp wake_up;
  EXPECT_FALSE(is_readable(wake_up));
  wake_up.clear();  // Does not wait.
  wake_up.notify();
  wake_up.notify();
  EXPECT_TRUE(is_readable(wake_up));
  wake_up.clear();  // However often it was notified.
  EXPECT_FALSE(is_readable(wake_up));
}

TEST(WakeUpTest, WakesAnotherThread) {
  WakeUp wake_up;
  const std::jthread notifying([&] { wake_up.notify(); });
  EXPECT_TRUE(is_readable(wake_up, 60'000));
}

}  // namespace
}  // namespace tasuki::rpc
