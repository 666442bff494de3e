#include "transport/shm/bulk_books.hpp"

#include <gtest/gtest.h>

namespace tasuki::transport::shm {
namespace {

TEST(BulkOutbox, GivesEachSlotOnceAndThenIsFull) {
  BulkOutbox outbox;
  std::uint64_t given = 0;
  Completion completions[bulk_slots];
  for (unsigned i = 0; i < bulk_slots; ++i) {
    ASSERT_FALSE(outbox.full());
    const unsigned slot = outbox.next_slot();
    ASSERT_EQ(given >> slot & 1, 0u);
    given |= std::uint64_t{1} << slot;
    outbox.take({nullptr, i, 0, &completions[i]});
    EXPECT_EQ(outbox.at(slot).bytes, i);
  }
  EXPECT_TRUE(outbox.full());
  EXPECT_EQ(outbox.finish(17), &completions[17]);
  EXPECT_FALSE(outbox.full());
  EXPECT_EQ(outbox.next_slot(), 17u);
}

TEST(BulkOutbox, FragmentsAreDueUntilTheTransferIsFinished) {
  BulkOutbox outbox;
  outbox.take({});
  outbox.take({});
  EXPECT_FALSE(outbox.fragments_due());
  outbox.clear_to_send(std::uint64_t{1} << 1);
  ASSERT_TRUE(outbox.fragments_due());
  EXPECT_EQ(outbox.fragment_slot(), 1u);
  outbox.finish(0);
  EXPECT_TRUE(outbox.fragments_due());
  outbox.finish(1);
  EXPECT_FALSE(outbox.fragments_due());
}

TEST(BulkInbox, DebtsAreGatheredAndSettledOnce) {
  BulkInbox inbox;
  EXPECT_FALSE(inbox.owes());
  inbox.owe_received(0);
  inbox.owe_received(63);
  inbox.owe_clearance(5);
  ASSERT_TRUE(inbox.owes());
  const BulkControl control = inbox.settle();
  EXPECT_EQ(control.received, 1u | std::uint64_t{1} << 63);
  EXPECT_EQ(control.cleared, std::uint64_t{1} << 5);
  EXPECT_FALSE(inbox.owes());
}

}  // namespace
}  // namespace tasuki::transport::shm
