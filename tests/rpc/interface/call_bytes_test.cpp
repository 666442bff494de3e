#include "rpc/interface/call_bytes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/interface/parameters.hpp"

namespace tasuki::rpc {
namespace {

layout::ArrayLayout replicated(std::int64_t elements, int ranks) {
  return {{{elements, layout::Whole{}, 1}}, layout::Replicated{ranks}, 8};
}

layout::ArrayLayout divided(std::int64_t elements, int ranks) {
  return {{{elements, layout::Block{}, ranks}}, layout::Grid({ranks}), 8};
}

/// A routine with so many parameters.
Routine routine_of(std::size_t parameters) {
  Routine routine{.name = "solve"};
  routine.parameters.resize(parameters);
  for (Parameter& one : routine.parameters) one.number = Number::float64;
  return routine;
}

TEST(CallBytesTest, TheRankThatHasMostCounts) {
  EXPECT_EQ(most_bytes_on_a_rank(routine_of(0), {}), 0);
  EXPECT_EQ(most_bytes_on_a_rank(routine_of(1), {std::nullopt}), 0);
  // 5 elements on 2 ranks: 3 and 2; and 10 on each.
  EXPECT_EQ(most_bytes_on_a_rank(routine_of(3), {divided(5, 2), std::nullopt, replicated(10, 2)}),
            8 * 13);
}

TEST(CallBytesTest, CopiesWithMoreBitsCount) {
  Routine routine = routine_of(1);
  routine.parameters[0].number = Number::int32;
  routine.parameters[0].copied_element_bytes = 8;
  const layout::ArrayLayout array({{10, layout::Whole{}, 1}}, layout::Replicated{1}, 4);
  EXPECT_EQ(most_bytes_on_a_rank(routine, {array}), 10 * (4 + 8));
}

TEST(CallBytesTest, ASumBeyondAllNumbersIsTheHighest) {
  const layout::ArrayLayout large = replicated(INT64_MAX / 16, 1);
  EXPECT_EQ(most_bytes_on_a_rank(routine_of(3), {large, large, large}), INT64_MAX);
}

TEST(CallBytesTest, MoreThanTheLimitIsRefusedWithBothNumbers) {
  const Routine routine = routine_of(1);
  check_call_bytes(routine, {replicated(10, 1)}, 0, 80);
  check_call_bytes(routine, {replicated(INT64_MAX / 16, 1)}, 0, no_call_limit);
  try {
    check_call_bytes(routine, {replicated(10, 1)}, 0, 79);
    FAIL() << "it was not refused";
  } catch (const error& fault) {
    EXPECT_NE(fault.happened().find("80 bytes"), std::string::npos) << fault.happened();
    EXPECT_NE(fault.happened().find("allows 79"), std::string::npos) << fault.happened();
  }
}

/// f(IN filename in, INOUT filename both, OUT filename out).
Routine routine_of_files() {
  return {"f",
          "",
          {file_parameter("in", Mode::in), file_parameter("both", Mode::inout),
           file_parameter("out", Mode::out)}};
}

TEST(CallBytesTest, FilesThatAreSentCountOnEachRank) {
  const Routine routine = routine_of_files();
  const std::int64_t bytes = sent_file_bytes(routine, {{"in", 3}, {"both", 4}, {"out", 100}});
  EXPECT_EQ(bytes, 7);
  check_call_bytes(routine, {}, bytes, 7);
  EXPECT_THROW(check_call_bytes(routine, {}, bytes, 6), error);
  check_call_bytes(routine, {divided(2, 2)}, bytes, 15);
  EXPECT_THROW(check_call_bytes(routine, {divided(2, 2)}, bytes, 14), error);
  EXPECT_EQ(sent_file_bytes(routine, {{"in", INT64_MAX}, {"both", INT64_MAX}}), INT64_MAX);
  EXPECT_THROW(check_call_bytes(routine, {divided(2, 2)}, INT64_MAX, INT64_MAX - 1), error);
}

TEST(CallBytesTest, ASizeThatIsMissingOrNoSizeIsRefused) {
  using nlohmann::json;
  for (const json& wrong : {json(-1), json(1.5), json("3"), json(nullptr), json(UINT64_MAX)}) {
    EXPECT_THROW(sent_file_bytes(routine_of_files(), {{"in", 3}, {"both", wrong}}), error) << wrong;
  }
  EXPECT_THROW(sent_file_bytes(routine_of_files(), {{"in", 3}}), error);
  EXPECT_THROW(sent_file_bytes(routine_of_files(), json::array()), error);
}

}  // namespace
}  // namespace tasuki::rpc
