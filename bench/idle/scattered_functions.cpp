#include "idle/scattered_functions.hpp"

#include <array>
#include <utility>

namespace tasuki::bench {
namespace {

constexpr int functions_count = 512;

/// A jump in each of its cache lines, so that running it takes little more than fetching it.
#if defined(__aarch64__)
#define TASUKI_BENCH_JUMP "  b 1f\n"
#else
#define TASUKI_BENCH_JUMP "  jmp 1f\n"
#endif
template <int number>
[[gnu::noinline, gnu::aligned(64)]] int function(int value) {
  asm volatile(".rept 15\n" TASUKI_BENCH_JUMP
               "  .skip 60\n"
               "1:\n"
               ".endr");
  return value + number;
}

template <int... numbers>
constexpr std::array<ScatteredFunction, sizeof...(numbers)> all(
    std::integer_sequence<int, numbers...> /*unused*/) {
  return {function<numbers>...};
}

}  // namespace

ScatteredFunction scattered_function(int number) {
  static constexpr auto functions = all(std::make_integer_sequence<int, functions_count>());
  // In an order that a prefetcher does not find.
  return functions[static_cast<std::size_t>(number) * 37 % functions_count];
}

}  // namespace tasuki::bench
