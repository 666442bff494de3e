#include "rpc/client/check_arguments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// f(IN int64 n, IN float64 a[n], OUT float64 b[n]) for n = 4.
class CheckArgumentsTest : public testing::Test {
 protected:
  ArrayArgument array(std::size_t count) {
    return {reinterpret_cast<std::byte*>(numbers_.data()), count * 8, {0, {8}}};
  }
  std::string refused(const std::vector<CallArray>& arrays) {
    return happened_in([&] { check_arguments(routine_, layout_, arrays); });
  }

  std::array<double, 4> numbers_{};
  const Routine routine_{"f",
                         "",
                         {parameter("n", Mode::in, Number::int64),
                          parameter("a", Mode::in, Number::float64, json::array({"n"})),
                          parameter("b", Mode::out, Number::float64, json::array({"n"}))}};
  const CallLayout layout_ = whole_layout_of(routine_, integers_of(routine_, {{"n", 4}}));
};

TEST_F(CheckArgumentsTest, EachArrayIsThereAndLongEnough) {
  EXPECT_EQ(refused({array(4), array(4)}), "");
  EXPECT_EQ(refused({array(4), KeptArray{"x"}}), "");  // The ranks know that one.
  EXPECT_EQ(refused({array(4)}), "array b is missing");
  EXPECT_EQ(refused({array(4), array(4), array(4)}), "3 arrays are given, but it has 2");
  EXPECT_EQ(refused({array(4), array(3)}),
            "array b: elements of the array lie outside of its memory of 24 bytes");
  ArrayArgument flat = array(4);
  flat.view.stride_bytes = {};
  EXPECT_EQ(refused({flat, array(4)}), "array a: 0 strides for 1 axes");
}

TEST_F(CheckArgumentsTest, MethodsHaveAnObjectAndRoutinesNone) {
  Routine method = routine_;
  method.name = "Sum.add";
  EXPECT_EQ(happened_in([&] { check_object(method, "x"); }), "");
  EXPECT_EQ(happened_in([&] { check_object(routine_, ""); }), "");
  EXPECT_EQ(happened_in([&] { check_object(method, ""); }),
            "it is a method, and no object is given");
  EXPECT_EQ(happened_in([&] { check_object(routine_, "x"); }),
            "it is no method, and an object is given");
}

}  // namespace
}  // namespace tasuki::rpc
