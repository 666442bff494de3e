#include <gtest/gtest.h>
#include <tasuki/detail/coll/reduction.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::coll {
namespace {

template <class T, class Op>
std::pair<T, T> both_orders(const Op& op, const T& a, const T& b) {
  const ReduceOp erased = reduce_op<T>(op);
  T left_applied = b;
  erased.apply(&a, &left_applied, 1, erased.state);
  T right_applied = a;
  erased.apply_right(&b, &right_applied, 1, erased.state);
  return {left_applied, right_applied};
}

template <class T, class Op>
void expect_both(const Op& op, const T& a, const T& b, const T& result) {
  EXPECT_EQ(both_orders(op, a, b), std::pair(result, result));
}

TEST(ReductionTest, BuiltInOperators) {
  expect_both<int>(Sum{}, 3, 4, 7);
  expect_both<double>(Product{}, 3.0, 0.5, 1.5);
  expect_both<int>(Min{}, 3, -4, -4);
  expect_both<int>(Max{}, 3, -4, 3);
  expect_both<int>(LogicalAnd{}, 2, 0, 0);
  expect_both<int>(LogicalOr{}, 2, 0, 1);
  expect_both<int>(LogicalXor{}, 2, 3, 0);
  expect_both<unsigned>(BitwiseAnd{}, 6U, 3U, 2U);
  expect_both<unsigned>(BitwiseOr{}, 6U, 3U, 7U);
  expect_both<unsigned>(BitwiseXor{}, 6U, 3U, 5U);
  expect_both<std::uint8_t>(Sum{}, 200, 100, 44);
}

TEST(ReductionTest, LocationOfEqualValuesIsTheSmallest) {
  using Place = Located<double>;
  expect_both<Place>(MinLocation{}, {1.0, 7}, {2.0, 3}, {1.0, 7});
  expect_both<Place>(MinLocation{}, {1.0, 7}, {1.0, 3}, {1.0, 3});
  expect_both<Place>(MaxLocation{}, {1.0, 7}, {2.0, 3}, {2.0, 3});
  expect_both<Place>(MaxLocation{}, {2.0, 3}, {2.0, 9}, {2.0, 3});
}

TEST(ReductionTest, OrderOfOperandsIsKept) {
  const auto minus = [](int a, int b) { return a - b; };
  expect_both<int>(minus, 10, 3, 7);
}

/// Counts what it is given that is not where its type may be.
template <std::size_t alignment>
struct alignas(alignment) Aligned {
  int value = 0;
};
int misaligned_count = 0;
struct AddAligned {
  template <class T>
  T operator()(const T& a, const T& b) const {
    for (const T* operand : {&a, &b}) {
      if (reinterpret_cast<std::uintptr_t>(operand) % alignof(T) != 0) ++misaligned_count;
    }
    return {10 * a.value + b.value};
  }
};

template <std::size_t alignment>
void expect_aligned_operands() {
  using T = Aligned<alignment>;
  alignas(T) std::array<std::byte, 4 * sizeof(T) + operand_alignment> memory[2];
  for (std::size_t offset = 0; offset < alignment; offset += operand_alignment) {
    std::byte* const left = memory[0].data() + offset;
    std::byte* const right = memory[1].data() + operand_alignment;
    for (const bool is_left : {true, false}) {
      const T values[2][2] = {{{1}, {2}}, {{3}, {4}}};
      std::memcpy(left, values[0], sizeof values[0]);
      std::memcpy(right, values[1], sizeof values[1]);
      const ReduceOp erased = reduce_op<T>(AddAligned{});
      if (is_left) {
        erased.apply(left, right, 2, erased.state);
      } else {
        erased.apply_right(right, left, 2, erased.state);
      }
      T results[2];
      std::memcpy(results, is_left ? right : left, sizeof results);
      EXPECT_EQ(results[0].value, 13);
      EXPECT_EQ(results[1].value, 24);
    }
  }
}

TEST(ReductionTest, OperandsNeedNotBeAlignedAsTheirTypeWants) {
  misaligned_count = 0;
  expect_aligned_operands<8>();
  expect_aligned_operands<16>();
  expect_aligned_operands<64>();
  expect_aligned_operands<128>();
  EXPECT_EQ(misaligned_count, 0);
}

TEST(ReductionTest, OperatorsWithStateAreFoundThroughTheirAddress) {
  const auto modular = [modulus = 7](int a, int b) { return (a + b) % modulus; };
  expect_both<int>(modular, 5, 6, 4);
}

TEST(ReductionTest, WholeArrays) {
  const ReduceOp sum = reduce_op<float>(Sum{});
  std::vector<float> left(1001, 1.5F);
  std::vector<float> right(1001, 2.0F);
  sum.apply(left.data(), right.data(), right.size(), sum.state);
  EXPECT_EQ(right, std::vector<float>(1001, 3.5F));
  EXPECT_EQ(sum.element_bytes, sizeof(float));
}

TEST(ReductionTest, CommutativityIsKnownOrAssumedAbsent) {
  EXPECT_TRUE((is_commutative<Sum, int>()));
  EXPECT_TRUE((is_commutative<std::plus<>, int>()));
  EXPECT_FALSE((is_commutative<std::minus<>, int>()));
  const auto custom = [](int a, int b) { return a + b; };
  EXPECT_FALSE((is_commutative<decltype(custom), int>()));
}

TEST(ReductionTest, OnlyKnownTypesHaveAName) {
  using base::Operator;
  struct Saturating : Sum {
    int operator()(int a, int b) const { return a + b > 100 ? 100 : a + b; }
  };
  struct Named {
    const char* name = "of its own";
    int operator()(int a, int b) const { return a < b ? a : b; }
  };
  EXPECT_EQ((arithmetic_of<Sum, int>().op), Operator::sum);
  EXPECT_EQ((arithmetic_of<std::plus<>, int>().op), Operator::sum);
  EXPECT_EQ((arithmetic_of<BitwiseXor, int>().op), Operator::bitwise_xor);
  EXPECT_FALSE((arithmetic_of<LogicalAnd, float>().is_known()));
  EXPECT_FALSE((arithmetic_of<Saturating, int>().is_known()));
  EXPECT_FALSE((arithmetic_of<Named, int>().is_known()));
}

TEST(ReductionTest, ExtremesOfUnsignedNumbersHaveNoName) {
  EXPECT_EQ((arithmetic_of<Min, int>().op), base::Operator::minimum);
  EXPECT_EQ((arithmetic_of<Max, double>().op), base::Operator::maximum);
  EXPECT_FALSE((arithmetic_of<Min, std::uint8_t>().is_known()));
  EXPECT_FALSE((arithmetic_of<Max, std::uint64_t>().is_known()));
  EXPECT_TRUE((arithmetic_of<Sum, std::uint64_t>().is_known()));
}

template <class Op, class T>
concept MakesReduceOp = requires(Op op) {
  reduce_op<T>(std::forward<Op>(op));
};

TEST(ReductionTest, TemporariesWithStateAreRefused) {
  struct WithState {
    int modulus;
    int operator()(int a, int b) const { return (a + b) % modulus; }
  };
  static_assert(MakesReduceOp<const WithState&, int>);
  static_assert(!MakesReduceOp<WithState, int>);
  static_assert(MakesReduceOp<Sum, int>);
  static_assert(!ReductionOperator<std::plus<>, std::string>, "not trivially copyable");
}

}  // namespace
}  // namespace tasuki::coll
