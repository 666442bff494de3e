#include "rpc/links/exchange.hpp"

#include <gtest/gtest.h>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// An array of ten numbers, in three ways.
class ExchangeTest : public testing::Test {
 protected:
  ExchangeTest() { dealt_.divisions = {CyclicDivision{Expression::from_json(1)}}; }

  Parameter dealt_ = parameter("a", Mode::inout, Number::float64, json::array({10}));
  const Parameter whole_ = parameter("b", Mode::inout, Number::float64, json::array({10}));
  const ArrayLayout on_two_{{Axis(10, layout::Cyclic{}, 2)}, Grid({2}), 8};
  const ArrayLayout on_each_{{Axis(10, layout::Whole{}, 1)}, layout::Replicated{2}, 8};
  const ArrayArgument array_{};
};

TEST_F(ExchangeTest, WithoutArraysNothingTravels) {
  const Exchange none{.message = json::object()};
  EXPECT_EQ(none.sent_bytes(), 0);
  EXPECT_EQ(none.returned_bytes(), 0);
}

TEST_F(ExchangeTest, ADividedArrayTravelsOnceInEachDirection) {
  const Exchange one{.message = json::object(),
                     .sent = {{dealt_, on_two_, array_}},
                     .returned = {{dealt_, on_two_, array_}}};
  EXPECT_EQ(one.sent_bytes(), 80);
  EXPECT_EQ(one.returned_bytes(), 80);
}

TEST_F(ExchangeTest, AnArrayOfAllRanksIsSentToEachAndReturnedByTheFirst) {
  const Exchange one{.message = json::object(),
                     .sent = {{whole_, on_each_, array_}},
                     .returned = {{whole_, on_each_, array_}}};
  EXPECT_EQ(one.sent_bytes(), 160);
  EXPECT_EQ(one.returned_bytes(), 80);
}

TEST_F(ExchangeTest, OfAPartOnlyTheSelectedElementsTravel) {
  const ArrayLayout part = on_two_.selecting({{1, 8, 2}});
  const Exchange one{.message = json::object(),
                     .sent = {{dealt_, part, array_}, {dealt_, on_two_, array_}},
                     .returned = {{dealt_, part, array_}}};
  EXPECT_EQ(one.returned_bytes(), 4 * 8);  // Those at 1, 3, 5 and 7.
  EXPECT_EQ(one.sent_bytes(), 4 * 8 + 80);
}

TEST_F(ExchangeTest, FilesCountAsTheyAreSent) {
  const Exchange one{.message = json::object(),
                     .sent = {{dealt_, on_two_, array_}},
                     .sent_files = {{"f", -1, 7}, {"g", -1, std::int64_t{1} << 33}},
                     .returned_files = {{"h", -1, 5}}};
  EXPECT_EQ(one.sent_bytes(), 80 + 7 + (std::int64_t{1} << 33));
  EXPECT_EQ(one.returned_bytes(), 0);  // Nobody knows their sizes before they come.
}

}  // namespace
}  // namespace tasuki::rpc
