#include "base/read_output.hpp"

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

namespace tasuki::base {
namespace {

using namespace std::chrono_literals;

TEST(ReadOutputTest, WaitsForTheReaderOfAPipe) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  ASSERT_EQ(::write(pipe[1], "why", 3), 3);
  std::thread reader([&] {
    std::this_thread::sleep_for(20ms);
    std::array<char, 3> text{};
    EXPECT_EQ(::read(pipe[0], text.data(), text.size()), 3);
  });
  await_reader(pipe[1]);
  int unread_bytes = -1;
  EXPECT_EQ(::ioctl(pipe[0], FIONREAD, &unread_bytes), 0);
  EXPECT_EQ(unread_bytes, 0);
  reader.join();
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(ReadOutputTest, DoesNotWaitWithoutEnd) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  ASSERT_EQ(::write(pipe[1], "why", 3), 3);
  await_reader(pipe[1]);
  await_reader(-1);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace tasuki::base
