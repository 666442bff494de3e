#include "fiber/guard.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <tasuki/detail/fiber/served_memory.hpp>
#include <tasuki/error.hpp>

#include "fiber/harness.hpp"

namespace tasuki::fiber {
namespace {

using testing::ExitedWithCode;
using testing::KilledBySignal;

class GuardDeathTest : public testing::Test {
 protected:
  // Threadsafe: the child starts anew, so no handler of an earlier test is in place.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  if (depth < 0) return 0;
  return recurse(depth + 1) + frame[0];
}

template <std::size_t bytes>
__attribute__((noinline)) int use_array() {
  volatile char array[bytes];
  // Else a compiler may leave room for one byte only.
  asm volatile("" : : "r"(array) : "memory");
  array[0] = 1;
  return array[0];
}

TEST_F(GuardDeathTest, NamesRankFiberAndRemedy) {
  EXPECT_EXIT(
      {
        base::set_rank_for_messages(3);
        Harness harness;
        harness.run([&] {
          harness.spawn([] { recurse(0); }, "solver");
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV),
      "^tasuki: rank 3: stack overflow in fiber solver \\(256 KiB\\)\\. Remedy: raise "
      "TASUKI_STACK_BYTES or move large arrays to the heap\\.\n");
}

TEST_F(GuardDeathTest, NamesTheHandlerAndItsCaller) {
  EXPECT_EXIT(
      {
        Harness harness(SchedulerOptions{.stack_bytes = 64 * 1024});
        harness.run([&] {
          harness.arrive([&] {
            harness.scheduler.set_activity(
                {.caller_rank = 5, .function = 0, .call_id = 0, .label = "invoke"});
            recurse(0);
          });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV),
      "^tasuki: stack overflow in fiber invoke, called by rank 5 \\(64 KiB\\)\\. Remedy");
}

TEST_F(GuardDeathTest, CatchesAFrameLargerThanAPage) {
  EXPECT_EXIT(
      {
        Harness harness(SchedulerOptions{.stack_bytes = 32 * 1024});
        harness.run([&] {
          harness.spawn([] { use_array<80 * 1024>(); });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV), "stack overflow in fiber \\(unnamed\\) \\(32 KiB\\)");
}

TEST_F(GuardDeathTest, CatchesAFrameLargerThanStackAndGuard) {
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([&] {
          harness.spawn([] { use_array<400 * 1024>(); });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV), "stack overflow in fiber \\(unnamed\\) \\(256 KiB\\)");
}

TEST_F(GuardDeathTest, CatchesAnOverflowOfTheThreadsOwnStack) {
  EXPECT_EXIT(
      {
        base::set_rank_for_messages(2);
        Harness harness;
        harness.run([] { recurse(0); });
      },
      KilledBySignal(SIGSEGV),
      "^tasuki: rank 2: stack overflow in main, or .* KiB\\)\\. Remedy: raise the system's limit");
}

TEST_F(GuardDeathTest, ExplainsMemoryThatIsTouchedForAnotherRank) {
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([&] {
          volatile std::uintptr_t nowhere = 16;
          served_memory = {nowhere, sizeof(int), 3, "remote atomic"};
          *reinterpret_cast<volatile int*>(nowhere) = 1;
        });
      },
      KilledBySignal(SIGSEGV),
      "^tasuki: remote atomic for rank 3: this rank has no such memory of 4 bytes at 0x10\\. "
      "Remedy: check");
}

TEST_F(GuardDeathTest, CatchesAnOverflowOfAReusedStack) {
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([&] {
          for (int i = 0; i < 1000; ++i) harness.spawn([] {}, "short");
          harness.drain();
          harness.spawn([] { recurse(0); }, "deep");
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV), "stack overflow in fiber deep");
}

TEST_F(GuardDeathTest, LeavesOtherFaultsToTheHandlerThatWasThere) {
  EXPECT_EXIT(
      {
        struct sigaction action = {};
        action.sa_handler = [](int) {
          static const char text[] = "the program's own handler\n";
          [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
          ::_exit(9);
        };
        ::sigaction(SIGSEGV, &action, nullptr);
        Harness harness;
        harness.run([&] {
          harness.spawn([] { ::raise(SIGSEGV); });
          harness.drain();
        });
      },
      ExitedWithCode(9), "^the program's own handler\n");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The sanitizers have a handler of their own, which explains the fault and exits.
TEST_F(GuardDeathTest, OtherFaultsEndTheProcessAsEver) {
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([&] {
          harness.spawn([] {
            volatile int* nowhere = nullptr;
            *nowhere = 1;
          });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([] { ::raise(SIGSEGV); });
      },
      KilledBySignal(SIGSEGV), "^$");
}

/// Writes `bytes` below its own frame, which is no overflow: the stack has room.
__attribute__((noinline)) void write_below(std::size_t bytes) {
  auto* const here = static_cast<volatile char*>(__builtin_frame_address(0));
  *(here - bytes) = 1;
}

TEST_F(GuardDeathTest, AWrongIndexThatLeadsToTheGuardIsNoOverflow) {
  constexpr std::size_t stack_bytes = 64 * 1024;
  EXPECT_EXIT(
      {
        Harness harness(SchedulerOptions{.stack_bytes = stack_bytes});
        harness.run([&] {
          harness.arrive([] { write_below(stack_bytes + 8 * 1024); });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV), "^$");
}

TEST_F(GuardDeathTest, AWrongPointerToAnothersGuardIsNoOverflow) {
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([&] {
          char* guard = nullptr;
          harness.spawn([&] {
            auto* const bottom = static_cast<char*>(harness.scheduler.current()->stack_bottom);
            guard = bottom - 8;
            harness.suspend();
          });
          harness.spawn([&] { *static_cast<volatile char*>(guard) = 1; });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV), "^$");
}

TEST_F(GuardDeathTest, AWrongPointerBelowTheThreadsOwnStackIsNoOverflow) {
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([&] {
          pthread_attr_t attributes;
          ::pthread_getattr_np(::pthread_self(), &attributes);
          void* first = nullptr;
          std::size_t bytes = 0;
          ::pthread_attr_getstack(&attributes, &first, &bytes);
          harness.spawn([first] { *(static_cast<volatile char*>(first) - 64) = 1; });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV), "^$");
}

TEST_F(GuardDeathTest, AHandlersOverflowIsNotCalledThePollers) {
  EXPECT_EXIT(
      {
        Harness harness;
        harness.run([&] {
          harness.arrive([] { recurse(0); });
          harness.drain();
        });
      },
      KilledBySignal(SIGSEGV),
      "stack overflow in fiber poller, or a called function that runs on its stack \\(256 KiB\\)");
}
#endif

}  // namespace
}  // namespace tasuki::fiber
