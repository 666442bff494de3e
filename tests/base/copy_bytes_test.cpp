#include <tasuki/detail/base/copy_bytes.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tasuki::base {
namespace {

TEST(CopyBytesTest, CopiesEverySizeAndNothingBeside) {
  constexpr std::size_t margin_bytes = 64;
  constexpr auto untouched = std::byte{0xee};
  for (std::size_t bytes = 0; bytes <= 200; ++bytes) {
    std::vector<unsigned char> values(bytes);
    std::iota(values.begin(), values.end(), static_cast<unsigned char>(bytes));
    std::vector<std::byte> target(bytes + 2 * margin_bytes, untouched);
    std::vector<std::byte> expected = target;
    for (std::size_t i = 0; i < bytes; ++i) expected[margin_bytes + i] = std::byte{values[i]};
    copy_bytes(target.data() + margin_bytes, reinterpret_cast<std::byte*>(values.data()), bytes);
    ASSERT_EQ(target, expected) << bytes << " bytes";
  }
}

}  // namespace
}  // namespace tasuki::base
