#include "rpc/links/callback_arrays.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <tasuki/error.hpp>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

const Integers three = {{"n", 3}};

template <class Type>
Type* at(const CallbackArrays& arrays, std::size_t index) {
  return static_cast<Type*>(arrays.pointers()[index]);
}

TEST(CallbackArraysTest, OwnMemoryIsZeros) {
  const Routine routine = routine_with_callback();
  const CallbackArrays arrays(routine.callbacks[0], three);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(at<double>(arrays, 0)[i], 0);
  EXPECT_EQ(at<std::int8_t>(arrays, 1)[1], 0);
}

TEST(CallbackArraysTest, WhatTravelsIsCountedInEachForm) {
  const Routine routine = routine_with_callback();
  const CallbackArrays arrays(routine.callbacks[0], three);
  // Of z, two of three elements travel.
  EXPECT_EQ(arrays.wire_bytes(WireFormat::native, &Parameter::is_sent), 3 * 8 + 2 * 4);
  EXPECT_EQ(arrays.wire_bytes(WireFormat::native, &Parameter::is_returned), 2 * 1 + 2 * 4);
  EXPECT_EQ(arrays.wire_bytes(WireFormat::xdr, &Parameter::is_returned), 2 * 4 + 2 * 4);
}

TEST(CallbackArraysTest, WhatIsSentArrivesAndNothingElse) {
  const Routine routine = routine_with_callback();
  for (const WireFormat wire : {WireFormat::native, WireFormat::xdr}) {
    std::array<double, 3> x = {1, 2, 3};
    std::array<std::int8_t, 2> y = {4, 5};
    std::array<std::int32_t, 3> z = {6, 7, 8};
    const std::array<void*, 3> pointers = {x.data(), y.data(), z.data()};
    const CallbackArrays from(routine.callbacks[0], three, pointers.data());
    EXPECT_EQ(from.pointers()[1], y.data());
    CallbackArrays to(routine.callbacks[0], three);
    auto [near, far] = connected();
    from.send(near, wire, &Parameter::is_sent);
    near.shut_down();
    to.receive(far, wire, &Parameter::is_sent);
    EXPECT_EQ(std::vector<double>(at<double>(to, 0), at<double>(to, 0) + 3),
              (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(at<std::int8_t>(to, 1)[0], 0);
    EXPECT_EQ(at<std::int32_t>(to, 2)[0], 0);  // It is not in the range.
    EXPECT_EQ(at<std::int32_t>(to, 2)[2], 8);
    std::byte more{};
    EXPECT_THROW(far.receive(&more, 1), error);
  }
}

TEST(CallbackArraysTest, AnImpossibleShapeIsAnErrorThatNamesTheArray) {
  const Routine routine = routine_with_callback();
  try {
    const CallbackArrays arrays(routine.callbacks[0], {{"n", -1}});
    FAIL() << "it was made";
  } catch (const error& fault) {
    EXPECT_EQ(fault.happened(), "x has size n = -1");
  }
}

}  // namespace
}  // namespace tasuki::rpc
