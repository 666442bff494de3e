#include "transport/ucx/send_slots.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace tasuki::transport::ucx {
namespace {

TEST(UcxSendSlots, MakesSlotsWhenTheyAreTaken) {
  SendSlots slots(2000);
  EXPECT_EQ(slots.made_count(), 0U);
  for (int i = 0; i < 1000; ++i) slots.give_back(slots.take());
  EXPECT_EQ(slots.made_count(), 1U);
}

TEST(UcxSendSlots, GivesEachSlotMemoryOfItsOwnUpToTheBound) {
  SendSlots slots(2000);
  std::vector<std::int32_t> taken;
  std::set<Slot*> places;
  std::set<SendSlots::Sending*> sendings;
  while (slots.has_room()) {
    taken.push_back(slots.take());
    places.insert(&slots.at(taken.back()));
    sendings.insert(&slots.sending(taken.back(), nullptr));
  }
  EXPECT_EQ(taken.size(), 1992U);
  EXPECT_EQ(places.size(), taken.size());
  EXPECT_EQ(sendings.size(), taken.size());
  EXPECT_EQ(slots.take(), SendSlots::none);
  for (int i = 0; i < 8; ++i) EXPECT_NE(slots.take_reserved(), SendSlots::none);
  EXPECT_EQ(slots.take_reserved(), SendSlots::none);
  slots.finish(slots.sending(taken.front(), nullptr));
  EXPECT_EQ(slots.take_reserved(), taken.front());
}

}  // namespace
}  // namespace tasuki::transport::ucx
