#include <tasuki/detail/containers/memory_box.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace tasuki::containers {
namespace {

/// Packs a box of a numbered array, and unpacks it into an array of other strides.
template <class T>
void check_box(const Box& box) {
  const ArrayMemory from{{35, 7, 1}, {2, 1, 0}, 0, sizeof(T)};  // 4 x 5 x 7, row-major
  const ArrayMemory to{{1, 5, 40}, {2, 1, 0}, 3, sizeof(T)};    // other strides, packed the same
  std::vector<T> elements(4 * 35);
  std::iota(elements.begin(), elements.end(), T{1});
  std::vector<T> copy(3 + 7 * 40);
  const MemoryBox one(box, from);
  const MemoryBox other(box, to);
  ASSERT_EQ(one.bytes(), box.count() * sizeof(T));
  std::vector<std::byte> packed(one.bytes());
  std::byte* const first = packed.data();
  EXPECT_EQ(one.pack(reinterpret_cast<const std::byte*>(elements.data()), first),
            first + one.bytes());
  EXPECT_EQ(other.unpack(first, reinterpret_cast<std::byte*>(copy.data())), first + one.bytes());
  std::vector<std::int64_t> at(3);
  std::size_t copied = 0;
  for (at[0] = 0; at[0] < 4; ++at[0]) {
    for (at[1] = 0; at[1] < 5; ++at[1]) {
      for (at[2] = 0; at[2] < 7; ++at[2]) {
        const T there = copy[static_cast<std::size_t>(3 + at[0] + at[1] * 5 + at[2] * 40)];
        const T here = elements[static_cast<std::size_t>(at[0] * 35 + at[1] * 7 + at[2])];
        ASSERT_EQ(there, box.has(at) ? here : T{}) << at[0] << at[1] << at[2];
        copied += there == T{} ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(copied, box.count());
}

TEST(MemoryBoxTest, elements_of_a_box_are_packed_and_unpacked) {
  const std::vector<Box> boxes = {
      {{0, 0, 0}, {4, 5, 7}}, {{1, 2, 3}, {2, 3, 4}}, {{0, 0, 1}, {4, 5, 2}},
      {{0, 1, 0}, {4, 2, 7}}, {{1, 0, 0}, {3, 5, 7}}, {{1, 1, 2}, {4, 4, 6}},
      {{2, 0, 0}, {2, 5, 7}},
  };
  for (const Box& box : boxes) {
    check_box<double>(box);
    check_box<float>(box);
    check_box<std::uint8_t>(box);
    check_box<long double>(box);
  }
}

TEST(MemoryBoxTest, a_box_knows_what_is_inside) {
  const Box box{{-1, 2}, {3, 4}};
  EXPECT_EQ(box.count(), 8U);
  EXPECT_TRUE(box.has(std::vector<std::int64_t>{-1, 3}));
  EXPECT_FALSE(box.has(std::vector<std::int64_t>{-1, 4}));
  EXPECT_FALSE(box.has(std::vector<std::int64_t>{0}));
}

}  // namespace
}  // namespace tasuki::containers
