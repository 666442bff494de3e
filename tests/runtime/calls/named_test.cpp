#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tasuki/named.hpp>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using NamedTest = RankTest;

template <class T>
T same(T value) {
  return value;
}
double scaled(const std::vector<double>& values, std::int32_t factor) {
  return factor * std::accumulate(values.begin(), values.end(), 0.0);
}
int counted(bool adds) {
  static int count = 0;
  return adds ? ++count : count;
}
void fail(const std::string& text) { throw std::out_of_range(text); }
int through(int rank, int depth);

const Named same_int8{"same int8", &same<std::int8_t>};
const Named same_uint64{"same uint64", &same<std::uint64_t>};
const Named same_float{"same float", &same<float>};
const Named same_text{"same text", &same<std::string>};
const Named same_bytes{"same bytes", &same<std::vector<std::byte>>};
const Named same_row{"same row", &same<std::vector<std::int16_t>>};
const Named same_list{"same list", &same<std::vector<std::vector<std::string>>>};
const Named same_flags{"same flags", &same<std::vector<bool>>};
const Named scaled_named{"scaled", &scaled};
const Named counted_named{"counted", &counted};
const Named fail_named{"fail", &fail};
const Named through_named{"through", &through};

int through(int rank, int depth) {
  return depth == 0 ? rank : through_named.invoke(next_rank(), rank, depth - 1);
}

TEST_F(NamedTest, values_arrive_as_they_were) {
  const int to = next_rank();
  using Limits = std::numeric_limits<std::uint64_t>;
  EXPECT_EQ(same_int8.invoke(to, std::int8_t{-128}), -128);
  EXPECT_EQ(same_uint64.invoke(to, Limits::max()), Limits::max());
  EXPECT_EQ(same_float.invoke(to, 0.1F), 0.1F);
  EXPECT_EQ(same_text.invoke(to, ""), "");
  EXPECT_EQ(same_text.invoke(to, std::string(3, '\0')), std::string(3, '\0'));
  EXPECT_EQ(same_bytes.invoke(to, {std::byte{1}, std::byte{0}}).size(), 2U);
  EXPECT_EQ(same_row.invoke(to, {1, -2}), (std::vector<std::int16_t>{1, -2}));
  EXPECT_EQ(same_row.invoke(to, {}), std::vector<std::int16_t>{});
  const std::vector<std::vector<std::string>> list = {{"a", "b"}, {}, {"c"}};
  EXPECT_EQ(same_list.invoke(to, list), list);
  const std::vector<bool> flags = {true, false};
  EXPECT_EQ(same_flags.invoke(to, flags), flags);
}

TEST_F(NamedTest, arguments_of_any_length_travel) {
  const std::vector<double> many(300'000, 1.0);
  EXPECT_EQ(scaled_named.invoke(next_rank(), many, 2), 600'000.0);
}

TEST_F(NamedTest, a_called_function_may_wait) {
  EXPECT_EQ(through_named.invoke(next_rank(), rank(), 5), rank());
}

TEST_F(NamedTest, a_post_is_done_when_all_is_quiet) {
  const int before = counted(false);
  barrier();
  counted_named.post(next_rank(), true);
  quiesce();
  EXPECT_GE(counted(false), before + 1);
  barrier();
}

TEST_F(NamedTest, what_is_thrown_comes_back) {
  EXPECT_THROW(fail_named.invoke(next_rank(), "too far"), std::out_of_range);
}

TEST_F(NamedTest, an_unknown_name_is_told_with_the_known_ones) {
  const Named<void()> unknown{"nothing"};
  const std::string text = error_of([&] { unknown.invoke(next_rank()); });
  EXPECT_TRUE(contains(text, "remote call of nothing on rank " + std::to_string(next_rank())))
      << text;
  EXPECT_TRUE(contains(text, "has no function of that name, but counted, fail")) << text;
  EXPECT_TRUE(contains(text, "tasuki::Named or ranks.named")) << text;
}

TEST_F(NamedTest, other_types_are_refused) {
  const int to = next_rank();
  const auto text_of = [&]<class Signature>(const Named<Signature>& call, const auto&... values) {
    return error_of([&] { call.invoke(to, values...); });
  };
  const Named<int(int)> number{"same int8"};
  EXPECT_TRUE(contains(text_of(number, 200),
                       "argument 1 is the integer 200, not an integer from -128 to 127"));
  const Named<int(std::string)> text{"same int8"};
  EXPECT_TRUE(contains(text_of(text, "7"), "argument 1 is text, not an integer"));
  const Named<double(std::vector<float>, int)> row{"scaled"};
  EXPECT_TRUE(contains(text_of(row, std::vector<float>{1}, 1),
                       "argument 1 is an array of float32, not an array of float64"));
  const Named<double(std::vector<double>)> few{"scaled"};
  EXPECT_TRUE(contains(text_of(few, std::vector<double>{1}), "argument 2 is missing"));
  const Named<double(std::vector<double>, int, int)> more{"scaled"};
  EXPECT_TRUE(contains(text_of(more, std::vector<double>{1}, 1, 1),
                       "there are more than the 2 arguments that it takes"));
  const Named<std::string(std::int8_t)> result{"same int8"};
  EXPECT_TRUE(contains(text_of(result, std::int8_t{7}), "its result is the integer 7, not text"));
}

TEST_F(NamedTest, numbers_of_other_types_fit) {
  const Named<std::uint64_t(int)> number{"same int8"};
  EXPECT_EQ(number.invoke(next_rank(), 7), 7U);
  const Named<double(int)> fraction{"same float"};
  EXPECT_EQ(fraction.invoke(next_rank(), 3), 3.0);
}

TEST_F(NamedTest, a_name_stands_for_one_function) {
  const std::string text = error_of([] { Named("counted", &fail); });
  EXPECT_TRUE(contains(text, "naming a function counted: there is another one of that name"));
}

}  // namespace
}  // namespace tasuki::test
