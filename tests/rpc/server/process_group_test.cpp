#include "rpc/server/process_group.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "rpc/wire/happened.hpp"
#include "rpc/wire/temporary_folder.hpp"

namespace tasuki::rpc {
namespace {

/// Programs of the shell, which say something by a file.
class ProcessGroupTest : public testing::Test {
 protected:
  void start(const std::string& script) {
    group_.start({"sh", "-c", script}, {"SAID=" + folder_.path_of("said"), "WORD=hello"});
  }
  /// Waits for the file. Returns: what is in its line.
  std::string said() const {
    std::string line;
    while (!std::getline(std::ifstream(folder_.path_of("said")), line)) pause();
    return line;
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  /// Waits until there is no such process, or nobody but its parent knows of it.
  static void await_end(pid_t process) {
    const std::string place = "/proc/" + std::to_string(process) + "/stat";
    std::string stat;
    while (std::getline(std::ifstream(place), stat) && stat.find(") Z") == std::string::npos) {
      pause();
    }
  }

  const TemporaryFolder folder_;
  ProcessGroup group_;
};

TEST_F(ProcessGroupTest, AProgramGetsVariablesOfItsOwnAndNoInput) {
  EXPECT_TRUE(group_.has_ended());
  start(R"(cat; echo "$WORD $PATH" > "$SAID.new"; mv "$SAID.new" "$SAID")");
  EXPECT_EQ(said(), std::string("hello ") + std::getenv("PATH"));
  while (!group_.has_ended()) pause();
  group_.end();
  EXPECT_TRUE(group_.has_ended());
}

TEST_F(ProcessGroupTest, AProgramThatIsNotThereIsNamed) {
  EXPECT_EQ(happened_in([this] { group_.start({"/nonexistent/program"}, {}); }),
            "/nonexistent/program: No such file or directory");
  EXPECT_TRUE(group_.has_ended());
  start("exit 0");  // Another one may be started.
}

TEST_F(ProcessGroupTest, HowAProgramHasEndedIsToldWithItsLastLines) {
  EXPECT_FALSE(group_.how_ended());
  EXPECT_EQ(group_.last_lines(), "");
  start("echo no such rank >&2; exit 3");
  while (!group_.has_ended()) pause();
  EXPECT_EQ(text_of(group_.how_ended().value()), "exit code 3");
  EXPECT_EQ(group_.last_lines(), "no such rank");
  testing::internal::CaptureStderr();
  group_.end("nobody has to be told");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(group_.how_ended());
  start("kill -SEGV $$");
  while (!group_.has_ended()) pause();
  EXPECT_EQ(text_of(group_.how_ended().value()), "signal 11 (Segmentation fault)");
}

TEST_F(ProcessGroupTest, AllThatAProgramHasStartedEndsWithIt) {
  start(R"(sleep 1000 & echo $! > "$SAID"; wait)");
  const pid_t child = std::stoi(said());
  EXPECT_EQ(kill(child, 0), 0);
  EXPECT_FALSE(group_.has_ended());
  group_.end();
  await_end(child);
  EXPECT_TRUE(group_.has_ended());
}

TEST_F(ProcessGroupTest, WhatAProgramHasLeftBehindEndsToo) {
  start(R"(sleep 1000 & echo $! > "$SAID")");
  const pid_t child = std::stoi(said());
  while (!group_.has_ended()) pause();
  group_.end();
  await_end(child);
}

TEST_F(ProcessGroupTest, WhoIgnoresThatItShallEndIsKilled) {
  start(R"(trap "" TERM; echo $$ > "$SAID"; while :; do sleep 0.01; done)");
  const pid_t leader = std::stoi(said());
  testing::internal::CaptureStderr();
  group_.end("it is idle");
  EXPECT_EQ(kill(leader, 0), -1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tasuki: it is idle\n");
}

}  // namespace
}  // namespace tasuki::rpc
