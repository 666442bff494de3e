#include "radixsort/digit.hpp"

#include <gtest/gtest.h>

#include "common/mixed.hpp"

namespace tasuki::radixsort {
namespace {

TEST(Digit, IsWhatDivisionGives) {
  constexpr std::uint32_t largest = (std::uint32_t{1} << key_bits) - 1;
  for (const std::uint32_t radix : {2u, 3u, 7u, 10u, 16u, 255u, 256u, 1000u, 4095u, 4096u}) {
    std::uint64_t divisor = 1;
    for (int place = 0; place < digit_count(radix); ++place, divisor *= radix) {
      with_digit(radix, place, [&](const auto& digit) {
        const auto check = [&](Key key) {
          EXPECT_EQ(digit(key), key / divisor % radix) << key << " / " << divisor << ", " << radix;
        };
        for (std::uint32_t step = 0; step < 200; ++step) {
          check(step);
          check(largest - step);
          check(static_cast<Key>(apps::mixed(step) >> 33));
          const std::uint64_t multiple = divisor * step;
          if (multiple > 0 && multiple <= largest) {
            check(static_cast<Key>(multiple));
            check(static_cast<Key>(multiple - 1));
          }
        }
      });
    }
  }
}

TEST(Digit, CountCoversTheLargestKey) {
  EXPECT_EQ(digit_count(10), 10);
  EXPECT_EQ(digit_count(256), 4);
  EXPECT_EQ(digit_count(2), 31);
}

}  // namespace
}  // namespace tasuki::radixsort
