#include <cereal/types/memory.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using SentValueTest = RankTest;

std::size_t size_of(const std::string& text) { return text.size(); }
int kind_of(const std::variant<int, std::string>& value) { return static_cast<int>(value.index()); }
double half_of(double number) { return number / 2; }
bool is_text(const std::optional<std::string>& text) noexcept { return text.has_value(); }
std::size_t size_of_view(std::string_view text) { return text.size(); }
int sum_of_span(std::span<const int> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0);
}

TEST_F(SentValueTest, literals_travel_as_the_strings_that_are_taken) {
  EXPECT_EQ(invoke(next_rank(), size_of, "text"), 4U);
  EXPECT_EQ(ainvoke(
                next_rank(), [](const std::string& text, int more) { return text.size() + more; },
                "sash", 3)
                .get(),
            7U);
  EXPECT_EQ(invoke(next_rank(), kind_of, "text"), 1);
  EXPECT_TRUE(invoke(next_rank(), is_text, "text"));
  static std::string received;
  barrier();
  post(
      next_rank(), [](const std::string& text) { received = text; }, "by post");
  quiesce();
  EXPECT_EQ(received, "by post");
}

struct Log {
  std::string text;
  std::size_t add(const std::string& more) { return (text += more).size(); }
};

TEST_F(SentValueTest, members_take_literals_as_well) {
  Log log;
  const auto logs = allgather(global_ptr(&log));
  EXPECT_EQ(invoke(logs[static_cast<std::size_t>(next_rank())], &Log::add, "sash"), 4U);
  barrier();
  EXPECT_EQ(log.text, "sash");
}

TEST_F(SentValueTest, numbers_are_converted_as_the_language_does) {
  EXPECT_DOUBLE_EQ(invoke(next_rank(), half_of, 7), 3.5);
  EXPECT_EQ(invoke(
                next_rank(), [](std::int8_t number) { return int{number}; }, 300),
            44);
  const std::vector<bool> flags = {false, true};
  EXPECT_TRUE(invoke(
      next_rank(), [](bool flag) { return flag; }, flags[1]));
  const auto cell = new_<int>(6);
  EXPECT_EQ(invoke(
                next_rank(), [](int number) { return number; }, *cell),
            6);
  delete_(cell);
}

// A view of what has travelled is made on the other rank.
TEST_F(SentValueTest, views_are_made_of_what_arrives) {
  EXPECT_EQ(invoke(next_rank(), size_of_view, std::string("text")), 4U);
  EXPECT_EQ(invoke(next_rank(), sum_of_span, std::vector<int>{1, 2, 3}), 6);
}

TEST_F(SentValueTest, function_objects_are_made_of_what_arrives) {
  const auto apply = [](const std::function<int(int)>& f) { return f(20); };
  EXPECT_EQ(invoke(next_rank(), apply, [](int number) { return 2 * number; }), 40);
}

struct Base {
  int id = 1;
  virtual ~Base() = default;
  virtual int number() const { return id; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(id);
  }
};
struct Derived : Base {
  int number() const override { return 10 * id; }
};

TEST_F(SentValueTest, objects_keep_their_class) {
  EXPECT_EQ(invoke(
                next_rank(), [](const Base& object) { return object.number(); }, Derived()),
            10);
}

TEST_F(SentValueTest, smart_pointers_keep_the_class_of_their_target) {
  const auto number_of = [](const std::shared_ptr<Base>& object) { return object->id; };
  EXPECT_EQ(invoke(next_rank(), number_of, std::make_shared<Derived>()), 1);
}

struct Counted {
  std::vector<int> values;
  Counted() = default;
  Counted(std::vector<int> from) : values(std::move(from)) {}
  template <class Archive>
  void serialize(Archive& archive) {
    archive(values);
  }
};

TEST_F(SentValueTest, what_is_given_away_is_moved) {
  std::vector<int> numbers(100, 1);
  const auto size = [](const Counted& counted) { return counted.values.size(); };
  EXPECT_EQ(invoke(next_rank(), size, std::move(numbers)), 100U);
  EXPECT_TRUE(numbers.empty());  // NOLINT(bugprone-use-after-move)
}

TEST_F(SentValueTest, where_parameters_are_not_known_arguments_travel_as_they_are) {
  EXPECT_EQ(invoke(
                next_rank(), [](auto number) { return sizeof number; }, std::int16_t{1}),
            2U);
  EXPECT_EQ(invoke(
                next_rank(), [](long a, long b = 2) { return a + b; }, 1),
            3);
}

}  // namespace
}  // namespace tasuki::test
