#include <cstddef>
#include <cstdint>
#include <limits>

#include <tasuki/detail/runtime/memory/peer_mappings.hpp>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using runtime::Access;
using runtime::PeerMappings;
using PeerMappingsTest = RankTest;

TEST_F(PeerMappingsTest, a_rank_knows_all_of_its_own_memory) {
  std::int64_t on_stack = 1;
  const auto address = reinterpret_cast<std::uintptr_t>(&on_stack);
  auto* const place = reinterpret_cast<std::byte*>(&on_stack);
  std::byte* here = nullptr;
  EXPECT_TRUE(PeerMappings::known<Access::reading>(rank(), address, sizeof on_stack, here));
  EXPECT_EQ(here, place);
  here = nullptr;
  EXPECT_TRUE(PeerMappings::known<Access::writing>(rank(), address, sizeof on_stack, here));
  EXPECT_EQ(here, place);
}

TEST_F(PeerMappingsTest, no_rank_knows_null_nor_what_is_longer_than_memory) {
  constexpr auto longest = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  std::byte* here = nullptr;
  for (const int of : {rank(), next_rank(), -1, size()}) {
    EXPECT_FALSE(PeerMappings::known<Access::reading>(of, 0, 1, here)) << of;
    EXPECT_FALSE(PeerMappings::known<Access::reading>(of, 4096, longest, here)) << of;
    EXPECT_FALSE(PeerMappings::known<Access::reading>(of, UINTPTR_MAX, 2, here)) << of;
  }
}

}  // namespace
}  // namespace tasuki::test
