#include "transport/shm/cpu_share.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>

#include <chrono>
#include <thread>

namespace tasuki::transport::shm {
namespace {

void compute_for_ms(std::int64_t duration_ms) {
  const std::int64_t end_ns = base::now_ns() + duration_ms * 1'000'000;
  while (base::now_ns() < end_ns) {
  }
}

std::int64_t own_cpu_ns() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

TEST(CpuShareTest, TellsComputingFromSleeping) {
  CpuShare share(1);
  share.add(::getpid());
  share.since_last_call();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(share.since_last_call(), 0.3);
  // On a busy machine this test itself gets only part of a core.
  const std::int64_t begin_cpu_ns = own_cpu_ns();
  const std::int64_t begin_ns = base::now_ns();
  compute_for_ms(100);
  const auto used_ns = static_cast<double>(own_cpu_ns() - begin_cpu_ns);
  const auto passed_ns = static_cast<double>(base::now_ns() - begin_ns);
  EXPECT_NEAR(share.since_last_call(), used_ns / passed_ns, 0.2);
}

TEST(CpuShareTest, IsOfAllCores) {
  CpuShare share(4);
  share.add(::getpid());
  share.since_last_call();
  compute_for_ms(10);
  EXPECT_LE(share.since_last_call(), 0.3) << "one of four cores was used";
}

TEST(CpuShareTest, AProcessMayStandForSeveral) {
  CpuShare of_one(8);
  CpuShare of_three(8, 3);
  for (CpuShare* share : {&of_one, &of_three}) share->add(::getpid());
  for (CpuShare* share : {&of_one, &of_three}) share->since_last_call();
  compute_for_ms(50);
  const double one = of_one.since_last_call();
  EXPECT_GT(one, 0);
  EXPECT_NEAR(of_three.since_last_call() / one, 3, 0.5);
}

TEST(CpuShareTest, ProcessesThatAreNotThereUseNothing) {
  EXPECT_EQ(CpuShare().since_last_call(), 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  CpuShare share(1);
  share.add(child);
  ::waitpid(child, nullptr, 0);
  share.since_last_call();
  compute_for_ms(5);
  EXPECT_EQ(share.since_last_call(), 0) << "its time is gone with it";
}

}  // namespace
}  // namespace tasuki::transport::shm
