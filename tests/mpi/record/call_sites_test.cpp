#include "mpi/record/call_sites.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

namespace tasuki::mpi::record {
namespace {

const void* address(std::uintptr_t number) { return reinterpret_cast<const void*>(number); }

TEST(CallSites, FindsWhatWasAdded) {
  const auto sites = std::make_unique<CallSites>();
  EXPECT_FALSE(sites->find(address(0x1000)));
  for (std::uint32_t i = 1; i <= 1000; ++i)
    EXPECT_TRUE(sites->add(address(std::uintptr_t{5} * i), i));
  for (std::uint32_t i = 1; i <= 1000; ++i)
    EXPECT_EQ(sites->find(address(std::uintptr_t{5} * i)), i);
  EXPECT_FALSE(sites->find(address(5 * 1001)));
}

TEST(CallSites, SaysWhenThereIsNoRoom) {
  const auto sites = std::make_unique<CallSites>();
  std::uint32_t added = 0;
  while (added < 100000 && sites->add(address(added + 1), added)) ++added;
  EXPECT_LT(added, 100000);
  for (std::uint32_t i = 0; i < added; ++i) EXPECT_EQ(sites->find(address(i + 1)), i);
}

}  // namespace
}  // namespace tasuki::mpi::record
