#include <sstream>
#include <type_traits>
#include <unordered_map>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using PointerValuesTest = RankTest;

struct Shape {
  int corners = 0;
};
struct Color {
  int red = 0;
};
struct Square : Shape, Color {
  double side = 0;
};
struct Virtual : virtual Shape {};

static_assert(std::is_trivially_copyable_v<GlobalPtr<int>>);
static_assert(sizeof(GlobalPtr<int>) == 2 * sizeof(void*));
static_assert(std::is_convertible_v<GlobalPtr<int>, GlobalPtr<const int>>);
static_assert(!std::is_convertible_v<GlobalPtr<const int>, GlobalPtr<int>>);
static_assert(std::is_convertible_v<GlobalPtr<Square>, GlobalPtr<Shape>>);
static_assert(std::is_convertible_v<GlobalPtr<Square>, GlobalPtr<const Color>>);
static_assert(!std::is_convertible_v<GlobalPtr<Shape>, GlobalPtr<Square>>);
static_assert(!std::is_convertible_v<GlobalPtr<int>, GlobalPtr<long>>);
// Where its base is, only the object knows, and it may be on another node.
static_assert(!std::is_convertible_v<GlobalPtr<Virtual>, GlobalPtr<Shape>>);

TEST_F(PointerValuesTest, a_pointer_to_const_reads_what_another_writes) {
  const auto mine = new_array<int>(3);
  const GlobalPtr<int> theirs = allgather(mine)[static_cast<std::size_t>(next_rank())];
  const GlobalPtr<const int> to_read = theirs;
  theirs[2] = 7;
  fence();
  EXPECT_EQ((to_read + 2).read(), 7);
  EXPECT_EQ(to_read[2], 7);
  EXPECT_EQ((to_read + 2).read_async().get(), 7);
  int copy[3] = {};
  to_read.nread(copy, 3);
  EXPECT_EQ(copy[2], 7);
  EXPECT_EQ(invoke(
                to_read.rank(), [](GlobalPtr<const int> at) { return *at.raw(); }, to_read + 2),
            7);
  barrier();
  delete_(mine);
}

TEST_F(PointerValuesTest, a_base_lies_where_it_lies_in_the_object) {
  const auto mine = new_<Square>();
  const GlobalPtr<Square> theirs = allgather(mine)[static_cast<std::size_t>(next_rank())];
  const GlobalPtr<Color> color = theirs;
  EXPECT_EQ(color.rank(), next_rank());
  color.member(&Color::red).write(9);
  barrier();
  EXPECT_EQ(mine.raw()->red, 9);
  EXPECT_EQ(mine.raw()->corners, 0);
  barrier();
  delete_(mine);
  EXPECT_TRUE(GlobalPtr<Color>(GlobalPtr<Square>()).is_null());
}

TEST_F(PointerValuesTest, null_pointers_are_equal_whatever_their_rank) {
  int variable = 0;
  GlobalPtr<int> pointer = nullptr;
  EXPECT_TRUE(pointer == nullptr);
  EXPECT_EQ(pointer, GlobalPtr<int>(next_rank(), nullptr));
  EXPECT_EQ(std::hash<GlobalPtr<int>>()(pointer),
            std::hash<GlobalPtr<int>>()(GlobalPtr<int>(next_rank(), nullptr)));
  pointer = global_ptr(&variable);
  EXPECT_TRUE(pointer != nullptr && nullptr < pointer);
  pointer = nullptr;
  EXPECT_FALSE(pointer);
}

TEST_F(PointerValuesTest, pointers_are_ordered_by_rank_and_then_by_address) {
  int own[2] = {};
  const GlobalPtr<int> low(0, own + 1);
  const GlobalPtr<int> high(1, own);
  const GlobalPtr<const int> same = low;
  EXPECT_TRUE(low < high && high > low);
  EXPECT_TRUE(low < low + 1 && low - 1 < low);
  EXPECT_TRUE(low == same && same == low);
  EXPECT_TRUE(same < high && high > same && same <= low);
  EXPECT_NE(low, GlobalPtr<int>(1, own + 1));
}

TEST_F(PointerValuesTest, pointers_are_keys_of_hash_tables) {
  int own[100] = {};
  std::unordered_map<GlobalPtr<int>, int> numbers;
  for (int at = 0; at < 100; ++at) {
    for (int rank = 0; rank < 5; ++rank) numbers[{rank, own + at}] = 100 * rank + at;
  }
  EXPECT_EQ(numbers.size(), 500U);
  EXPECT_EQ((numbers[{3, own + 42}]), 342);
}

TEST_F(PointerValuesTest, a_stream_shows_rank_and_address) {
  std::ostringstream text;
  text << GlobalPtr<int>(3, reinterpret_cast<int*>(std::uintptr_t{0x1a40})) << ", "
       << GlobalPtr<const double>();
  EXPECT_EQ(text.str(), "rank 3: 0x1a40, null");
}

}  // namespace
}  // namespace tasuki::test
