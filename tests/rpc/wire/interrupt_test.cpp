#include "rpc/wire/interrupt.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

std::atomic<int> asked_count = 0;

TEST(InterruptTest, AWaitEndsWhenTheProgramSaysSoAfterASignal) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);
  set_interrupt_check([] { return static_cast<int>(++asked_count > 2); });
  auto [near, far] = connected();
  const pthread_t self = pthread_self();
  std::atomic<bool> is_over = false;
  std::thread signaller([&] {
    while (!is_over) {
      pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  std::byte byte{};
  EXPECT_THROW(near.receive(&byte, 1), Interrupted);
  is_over = true;
  signaller.join();
  set_interrupt_check(nullptr);
  EXPECT_EQ(asked_count, 3);
  EXPECT_FALSE(is_interrupted());
}

}  // namespace
}  // namespace tasuki::rpc
