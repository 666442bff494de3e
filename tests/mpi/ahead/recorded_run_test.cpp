#include "mpi/ahead/recorded_run.hpp"

#include "events/event_file.hpp"

#include <gtest/gtest.h>
#include <tasuki/error.hpp>

#include <array>

#include "support/temporary_folder.hpp"

namespace tasuki::mpi::ahead {
namespace {

constexpr std::array functions = {
    events::FunctionName{"MPI_Recv", 3}, events::FunctionName{"MPI_Iprobe", 7},
    events::FunctionName{"completed", 16}, events::FunctionName{"MPI_Isend", 2},
    events::FunctionName{"collective_message", 22}};
enum { recv, iprobe, completed, isend, collective_message };

const std::array<char, 2> places{};  // Their addresses are in this program.

class RecordedRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_.emplace(folder_.path(), 100, functions, events::Recorded::mpi);
    file_->header().rank = 1;
    file_->header().rank_count = 3;
    file_->header().ticks_per_second = 1e9;
    for (const char& place : places) file_->add_site(&place);
  }

  events::Event& add(std::uint16_t function, std::uint32_t site, std::uint64_t ticks) {
    events::Event& event = *file_->append();
    event.function = function;
    event.site = site;
    event.enter_ticks = 1000;
    event.leave_ticks = 1000 + ticks;
    event.source = -1;
    return event;
  }
  RecordedRun read(int rank = 1, int ranks_count = 3) const {
    return {folder_.path(), rank, ranks_count, 77};
  }

 private:
  test::TemporaryFolder folder_;
  std::optional<events::EventFile> file_;
};

TEST_F(RecordedRunTest, KnowsTheWaitsOfEachPlaceInTheirOrder) {
  add(recv, 0, 500);
  add(recv, 1, 60);
  add(iprobe, 0, 1);  // It does not wait.
  add(recv, 0, 700);
  RecordedRun run = read();
  EXPECT_EQ(run.next_wait_ns(&places[0]), 500);
  EXPECT_EQ(run.next_wait_ns(&places[1]), 60);
  EXPECT_EQ(run.next_wait_ns(&places[0]), 700);
  EXPECT_EQ(run.next_wait_ns(&places[0]), std::nullopt);
  EXPECT_EQ(run.next_wait_ns(nullptr), std::nullopt);
}

TEST_F(RecordedRunTest, KnowsWhatCame) {
  events::Event& received = add(recv, 0, 1);
  received.source = 2;
  received.received_tag = 5;
  received.received_bytes = 80;
  events::Event& waited = add(completed, 0, 1);
  waited.source = 0;
  waited.communicator = 4;
  add(completed, 0, 1);  // A send.
  add(isend, 0, 1);
  const RecordedRun run = read();
  ASSERT_EQ(run.arrivals().size(), 2U);
  const predict::Message first{.source = 2, .tag = 5, .communicator = 77, .message_bytes = 80};
  EXPECT_EQ(run.arrivals()[0].message, first);
  EXPECT_EQ(run.arrivals()[1].message.source, 0);
  EXPECT_NE(run.arrivals()[1].message.communicator, 77U);
}

TEST_F(RecordedRunTest, KnowsTheMessagesOfCollectives) {
  add(collective_message, 0, 1).source = 2;
  const RecordedRun run = read();
  ASSERT_EQ(run.arrivals().size(), 1U);
  EXPECT_EQ(run.arrivals()[0].message.kind, predict::kind_in_collective);
  EXPECT_EQ(run.arrivals()[0].receive.arguments.kind, predict::kind_in_collective);
}

TEST_F(RecordedRunTest, ACallThatHasNotReturnedSaysNothing) {
  add(recv, 0, 1).leave_ticks = 0;
  EXPECT_EQ(read().next_wait_ns(&places[0]), std::nullopt);
}

TEST_F(RecordedRunTest, OfOtherRanksIsRefused) {
  EXPECT_THROW(read(0), error);
  EXPECT_THROW(read(1, 4), error);
  EXPECT_THROW(RecordedRun("/nowhere", 1, 3, 0), error);
}

}  // namespace
}  // namespace tasuki::mpi::ahead
