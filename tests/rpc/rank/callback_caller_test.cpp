#include "rpc/rank/callback_caller.hpp"

#include <gtest/gtest.h>

#include <array>
#include <future>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// The arrays that the routine has.
struct Arrays {
  std::array<double, 1> x = {5};
  std::array<std::int8_t, 2> y = {};
  std::array<std::int32_t, 1> z = {};  // Nothing of it travels.
  std::array<void*, 3> pointers = {x.data(), y.data(), z.data()};
};

const json message = {{"scalars", {{"n", 1}}}};

std::string happened(CallbackCaller& caller, const char* name) {
  Arrays arrays;
  try {
    caller.call(name, arrays.pointers.data());
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(CallbackCallerTest, TheClientGetsTheArraysAndGivesBackTheResults) {
  const Routine routine = routine_with_callback();
  auto [near, far] = connected();
  const auto client = std::async(std::launch::async, [&far = far] {
    json asked = receive_frame(far);
    double x = 0;
    far.receive(&x, sizeof x);
    send_frame(far, {{"message", "returned"}, {"bytes", 2}});
    const std::array<std::int8_t, 2> y = {static_cast<std::int8_t>(x), 7};
    far.send(y.data(), y.size());
    return asked;
  });
  CallbackCaller caller(routine, message, 0, near);
  Arrays arrays;
  caller.call("g", arrays.pointers.data());
  EXPECT_EQ(arrays.y, (std::array<std::int8_t, 2>{5, 7}));
  EXPECT_EQ(const_cast<std::future<json>&>(client).get(),
            json({{"message", "callback"}, {"name", "g"}, {"bytes", 8}}));
}

TEST(CallbackCallerTest, ArraysTravelInTheFormOfTheCallOrInOneOfTheirOwn) {
  const Routine routine = routine_with_callback();
  for (const char* field : {"wire", "callback_wire"}) {
    auto [near, far] = connected();
    json with_wire = message;
    with_wire[field] = "xdr";
    CallbackCaller caller(routine, with_wire, 0, near);
    send_frame(far, {{"message", "returned"}});
    const std::array<unsigned char, 8> y = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff};
    far.send(y.data(), y.size());
    Arrays arrays;
    caller.call("g", arrays.pointers.data());
    EXPECT_EQ(arrays.y, (std::array<std::int8_t, 2>{1, -1})) << field;
    receive_frame(far);
    std::array<unsigned char, 8> x{};
    far.receive(x.data(), x.size());
    EXPECT_EQ(x, (std::array<unsigned char, 8>{0x40, 0x14})) << field;
  }
}

TEST(CallbackCallerTest, OnlyRank0CallsAndOnlyWhatTheInterfaceNames) {
  const Routine routine = routine_with_callback();
  auto [near, far] = connected();
  CallbackCaller first(routine, message, 0, near);
  EXPECT_EQ(happened(first, "h"), "f has no callback h");
  CallbackCaller other(routine, message, 2, near);
  EXPECT_EQ(happened(other, "g"),
            "rank 2 has called g, and only rank 0 may call functions of the client");
  near.shut_down();
  std::byte sent{};
  EXPECT_THROW(far.receive(&sent, 1), error);
}

TEST(CallbackCallerTest, AClientThatHasGoneIsAnError) {
  const Routine routine = routine_with_callback();
  auto [near, far] = connected();
  far.shut_down();
  CallbackCaller caller(routine, message, 0, near);
  EXPECT_NE(happened(caller, "g"), "");
}

}  // namespace
}  // namespace tasuki::rpc
