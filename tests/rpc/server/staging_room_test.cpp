#include "rpc/server/staging_room.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

TEST(StagingRoomTest, CallsHaveNoMoreThanTheRoomTogether) {
  StagingRoom room(10);
  const StagingRoom::Part first(room, 6);
  std::optional<StagingRoom::Part> second(std::in_place, room, 4);
  const StagingRoom::Part of_nothing(room, 0);
  try {
    const StagingRoom::Part third(room, 1);
    FAIL() << "it was not refused";
  } catch (const error& fault) {
    EXPECT_EQ(fault.happened(),
              "its arrays and files have 1 bytes, and of the 10 that the front end holds in the"
              " mode original 10 are used");
    EXPECT_NE(fault.remedy().find("hand-off, relay or buffering"), std::string::npos);
    EXPECT_NE(fault.remedy().find("--staging-limit"), std::string::npos);
  }
  second.reset();
  const StagingRoom::Part instead(room, 4);
}

TEST(StagingRoomTest, NoCallIsTooLargeToBeCompared) {
  StagingRoom room(INT64_MAX);
  const StagingRoom::Part first(room, INT64_MAX);
  EXPECT_THROW(StagingRoom::Part(room, INT64_MAX), error);
}

}  // namespace
}  // namespace tasuki::rpc
