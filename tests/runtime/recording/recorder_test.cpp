#include "runtime/recording/recorder.hpp"

#include <gtest/gtest.h>
#include <tasuki/detail/base/settings.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace tasuki::runtime {
namespace {

std::string name_of(std::uintptr_t code) {
  const std::map<std::uintptr_t, std::string> names = {
      {1, "solve(std::vector<double, std::allocator<double> > const&)"},
      {2, "main::{lambda()#1}::operator()() const::{lambda(int)#2}"},
      {3, "operator<"},
      {9, "tasuki::runtime::handle_result<int>(tasuki::runtime::Rank&, int)"}};
  return names.at(code);
}

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    std::filesystem::create_directories(folder_);
    ::setenv(base::setting::profile_folder.name, folder_.c_str(), 1);
    recorder_ = Recorder::open(1, 2, "shm", &name_of);
  }
  ~RecorderTest() override {
    ::unsetenv(base::setting::profile_folder.name);
    std::filesystem::remove_all(folder_);
  }

  /// A handler that runs `function`, and waits meanwhile if it is to.
  void call(std::uintptr_t function, bool waits) {
    Recorder::Handling handling;
    recorder_->begin(handling, 0, 64);
    if (waits) wait(function, {fiber::WaitKind::reply, 0, nullptr, 1});
    recorder_->end(handling, waits ? 0 : function, 9);
  }
  void wait(std::uintptr_t function, const fiber::WaitReason& reason) {
    Recorder::Wait waiting;
    recorder_->begin(waiting, function, reason);
    recorder_->end(waiting);
  }

  struct Seen {
    std::string function;
    events::Event event;
  };
  /// What the file has so far.
  std::vector<Seen> seen() {
    const auto path = std::filesystem::directory_iterator(folder_)->path();
    std::ifstream file(path, std::ios::binary);
    events::Header header{};
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    state_ = header.state;
    std::vector<events::FunctionEntry> functions(header.function_count);
    read(file, header.functions_offset, functions);
    std::vector<events::Event> events(header.event_count);
    read(file, header.events_offset, events);
    std::vector<Seen> all;
    for (const events::Event& event : events) {
      all.push_back({functions.at(event.function).name, event});
    }
    return all;
  }

  template <class Entry>
  static void read(std::ifstream& file, std::uint64_t offset, std::vector<Entry>& entries) {
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(reinterpret_cast<char*>(entries.data()),
              static_cast<std::streamsize>(entries.size() * sizeof(Entry)));
  }

  const std::string folder_ =
      std::filesystem::temp_directory_path() / ("recorder_test." + std::to_string(::getpid()));
  std::unique_ptr<Recorder> recorder_;
  events::State state_{};
};

TEST_F(RecorderTest, IsThereOnlyForAProfile) {
  EXPECT_NE(recorder_, nullptr);
  ::unsetenv(base::setting::profile_folder.name);
  EXPECT_EQ(Recorder::open(0, 1, "shm", &name_of), nullptr);
}

TEST_F(RecorderTest, NamesTheFunctionsThatAreCalledAndAwaited) {
  call(1, false);
  call(2, true);
  const auto all = seen();
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0].function, "solve");
  EXPECT_EQ(all[0].event.source, 0);
  EXPECT_EQ(all[0].event.received_bytes, 64);
  EXPECT_EQ(all[1].function, "main::{lambda#1}::operator::{lambda#2}");
  EXPECT_EQ(all[2].function, "the result of solve");
  EXPECT_EQ(all[2].event.destination, 0);
}

TEST_F(RecorderTest, KeepsANameWithBracketsThatAreNoPairs) {
  call(3, false);
  EXPECT_EQ(seen().at(0).function, "operator<");
}

TEST_F(RecorderTest, NamesAMessageThatCallsNoFunctionByItsHandler) {
  call(0, false);
  const auto all = seen();
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].function, "tasuki::runtime::handle_result");
  EXPECT_EQ(all[0].event.source, 0);
  EXPECT_EQ(all[0].event.received_bytes, 64);
}

TEST_F(RecorderTest, ForgetsAMessageThatIsToBeForgotten) {
  Recorder::Handling handling;
  recorder_->begin(handling, 0, 64);
  recorder_->forget_message();
  recorder_->end(handling, 0, 9);
  EXPECT_TRUE(seen().empty());
}

TEST_F(RecorderTest, KnowsWhichMessagesWereWaitedFor) {
  recorder_->begin_idle();
  call(1, false);
  call(0, false);
  recorder_->begin_idle();
  recorder_->received(0, 1024, "data");
  recorder_->received(0, 2048, "data");
  const auto all = seen();
  ASSERT_EQ(all.size(), 6);
  EXPECT_EQ(all[0].function, "idle");
  EXPECT_EQ(all[1].event.flags, 0);
  EXPECT_EQ(all[2].event.flags, events::Flag::found_there);
  EXPECT_EQ(all[3].function, "idle");
  EXPECT_EQ(all[4].function, "data");
  EXPECT_EQ(all[4].event.received_bytes, 1024);
  EXPECT_EQ(all[4].event.flags, 0);
  EXPECT_EQ(all[5].event.flags, events::Flag::found_there);
}

TEST_F(RecorderTest, GivesAWaitTheThreadOfItsCall) {
  wait(0, {fiber::WaitKind::quiesce});
  call(1, true);
  const auto all = seen();
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0].event.thread, 0);
  EXPECT_EQ(all[1].event.thread, 1);
  EXPECT_EQ(all[2].event.thread, 1);
  EXPECT_GE(all[1].event.leave_ticks, all[2].event.leave_ticks);
}

TEST_F(RecorderTest, LeavesOpenWhatHasNotEnded) {
  Recorder::Wait waiting;
  recorder_->begin(waiting, 0, {fiber::WaitKind::reply, 0, nullptr, 1});
  recorder_->begin_idle();
  EXPECT_EQ(seen().at(0).event.leave_ticks, 0);
  EXPECT_EQ(seen().at(1).event.leave_ticks, 0);
  EXPECT_EQ(state_, events::State::running);
  recorder_->end(waiting);
  EXPECT_NE(seen().at(0).event.leave_ticks, 0);
  EXPECT_NE(seen().at(1).event.leave_ticks, 0);
}

TEST_F(RecorderTest, HasNoWaitsWithinACollective) {
  Recorder::Collective collective;
  recorder_->begin(collective, {.name = "reduce",
                                .algorithm = "binomial",
                                .team_id = 7,
                                .team_size = 2,
                                .team_rank = 1,
                                .root = 0,
                                .sent_bytes = 24,
                                .received_bytes = 0,
                                .is_blocking = true});
  wait(0, {fiber::WaitKind::collective, -1, "reduce"});
  recorder_->sent(0, 48);
  recorder_->end(collective);
  recorder_->finish();
  const auto all = seen();
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].function, "reduce");
  EXPECT_EQ(all[0].event.destination, 0);
  EXPECT_EQ(all[1].function, "message");
  EXPECT_EQ(all[1].event.sent_bytes, 48);
  EXPECT_EQ(state_, events::State::finalized);
}

}  // namespace
}  // namespace tasuki::runtime
