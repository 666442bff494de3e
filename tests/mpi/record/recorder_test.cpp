#include "mpi/record/recorder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "support/temporary_folder.hpp"

namespace tasuki::mpi::record {
namespace {

constexpr std::array<events::FunctionName, 1> names = {{{"MPI_Send", 1}}};

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    ::setenv("TASUKI_PROFILE_FOLDER", folder_.path().c_str(), 1);
    ::setenv("TASUKI_PROFILE_EVENTS", "1024", 1);
  }
  ~RecorderTest() override {
    ::unsetenv("TASUKI_PROFILE_FOLDER");
    ::unsetenv("TASUKI_PROFILE_EVENTS");
  }

  static void call(Recorder& recorder) {
    events::Event spare;
    events::Event& event = recorder.begin(0, __builtin_return_address(0), spare);
    event.sent_bytes = 3;
    recorder.end(event, spare);
  }

  test::TemporaryFolder folder_;
};

TEST_F(RecorderTest, IsOffWithoutAFolder) {
  ::unsetenv("TASUKI_PROFILE_FOLDER");
  Recorder recorder;
  recorder.start(names);
  EXPECT_FALSE(recorder.is_on());
}

TEST_F(RecorderTest, IsOffWhereItCannotWrite) {
  ::setenv("TASUKI_PROFILE_FOLDER", "/nowhere", 1);
  Recorder recorder;
  recorder.start(names);
  EXPECT_FALSE(recorder.is_on()) << "the program runs on without a profile";
}

TEST_F(RecorderTest, CountsCallsThatFindNoRoom) {
  Recorder recorder;
  recorder.start(names);
  for (int i = 0; i < 1030; ++i) call(recorder);
  EXPECT_EQ(recorder.file().header().event_count, 1030);
  EXPECT_EQ(recorder.file().function(0).calls, 6);
  EXPECT_EQ(recorder.file().function(0).sent_bytes, 18);
}

TEST_F(RecorderTest, RecordsTheCallsOfAllThreads) {
  Recorder recorder;
  recorder.start(names);
  recorder.share_between_threads(true);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 500; ++j) call(recorder);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(recorder.file().header().event_count, 2000);
  EXPECT_EQ(recorder.file().function(0).calls, 2000 - 1024);
}

TEST_F(RecorderTest, IsOffInTheChildOfAFork) {
  recorder().start(names);
  ASSERT_TRUE(recorder().is_on());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(recorder().is_on() ? 1 : 0);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(recorder().is_on());
}

}  // namespace
}  // namespace tasuki::mpi::record
