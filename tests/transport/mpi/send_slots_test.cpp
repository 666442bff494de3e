#include "transport/mpi/send_slots.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

namespace tasuki::transport::mpi {
namespace {

/// What MPI does with sends: they are done at once, or when a test says so.
bool sends_at_once = true;
bool has_sent = false;
int failure = 0;  ///< Of the next test.
int asked_count = 0;

int send(void* /*communicator*/, const void* /*data*/, std::size_t /*bytes*/, int /*rank*/,
         int /*tag*/, Request* /*request*/, bool* is_done) {
  *is_done = sends_at_once;
  return 0;
}

int test_any(Request* /*requests*/, int count, int* index, bool* is_done, Status* /*status*/) {
  ++asked_count;
  *index = count - 1;
  *is_done = has_sent;
  return std::exchange(failure, 0);
}

class SendSlotsTest : public testing::Test {
 protected:
  SendSlotsTest() {
    functions_.send = &send;
    functions_.test_any = &test_any;
    sends_at_once = true;
    has_sent = false;
    asked_count = 0;
    failure = 0;
  }

  Functions functions_{};
  SendSlots slots_{functions_, nullptr, 2000};
};

TEST_F(SendSlotsTest, MakesNoneBeforeOneIsTaken) {
  EXPECT_EQ(slots_.made_count(), 0U);
  EXPECT_NE(slots_.take(), SendSlots::none);
  EXPECT_EQ(slots_.made_count(), 8U);
}

TEST_F(SendSlotsTest, UsesFewWhereSendsAreDoneAtOnce) {
  for (int i = 0; i < 10'000; ++i) slots_.send(slots_.take(), 0, 8);
  EXPECT_EQ(slots_.made_count(), 8U);
}

TEST_F(SendSlotsTest, UsesFewWhereSendsAreDoneWhenMpiIsAsked) {
  sends_at_once = false;
  has_sent = true;
  for (int i = 0; i < 10'000; ++i) slots_.send(slots_.take(), 0, 8);
  EXPECT_EQ(slots_.made_count(), 72U);
}

TEST_F(SendSlotsTest, GivesEachSlotMemoryOfItsOwnUpToTheBound) {
  sends_at_once = false;
  std::set<std::byte*> places;
  for (std::int32_t slot = slots_.take(); slot != SendSlots::none; slot = slots_.take()) {
    places.insert(slots_.at(slot));
    slots_.send(slot, 0, 8);
  }
  EXPECT_EQ(places.size(), 1992U);
  EXPECT_EQ(slots_.made_count(), 2000U);
  for (int i = 0; i < 8; ++i) EXPECT_NE(slots_.take_reserved(), SendSlots::none);
  EXPECT_EQ(slots_.take_reserved(), SendSlots::none);
  has_sent = true;
  EXPECT_NE(slots_.take(), SendSlots::none);
}

// Each call in vain lets MPI progress all that it has to do.
TEST_F(SendSlotsTest, AsksForManySendsAtOnce) {
  sends_at_once = false;
  for (int i = 0; i < 72; ++i) slots_.send(slots_.take(), 0, 8);
  EXPECT_EQ(asked_count, 0);
  EXPECT_NE(slots_.take(), SendSlots::none);
  EXPECT_EQ(asked_count, 5);  // 16 requests each
}

// MPI may have freed the request, which is then never complete.
TEST_F(SendSlotsTest, ForgetsASendThatHasFailed) {
  functions_.describe_error = [](int /*code*/, char* text, std::size_t /*bytes*/) { *text = 0; };
  sends_at_once = false;
  slots_.send(slots_.take(), 0, 8);
  has_sent = true;
  failure = 1;
  EXPECT_THROW(slots_.reap(), error);
  EXPECT_TRUE(slots_.is_idle());
}

}  // namespace
}  // namespace tasuki::transport::mpi
