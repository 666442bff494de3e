#include <tasuki/detail/runtime/waiting/recycled.hpp>

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/waiting/checked_object.hpp"

namespace tasuki::test {
namespace {

using runtime::Recycled;

template <std::size_t bytes>
struct Object : Recycled {
  std::byte payload[bytes];
};
struct alignas(128) Aligned : Recycled {
  std::byte payload[128];
};

template <class T>
std::uintptr_t place_of(const std::unique_ptr<T>& object) {
  return reinterpret_cast<std::uintptr_t>(object.get());
}

TEST(Recycled, ObjectsOfOneListDoNotOverlap) {
  std::vector<std::unique_ptr<Object<40>>> objects;
  for (int round = 0; round < 2; ++round) {
    for (std::uint8_t i = 0; i < 100; ++i) {
      objects.push_back(std::make_unique<Object<40>>());
      for (std::byte& one : objects.back()->payload) one = std::byte{i};
    }
    for (std::size_t i = 0; i < objects.size(); ++i) {
      for (const std::byte one : objects[i]->payload) EXPECT_EQ(one, std::byte(i));
    }
    objects.clear();
  }
}

TEST(Recycled, TheSmallestOfAListLeavesRoomForTheLargest) {
  std::make_unique<Object<33>>().reset();
  const auto larger = std::make_unique<Object<64>>();
  for (std::byte& one : larger->payload) one = std::byte{7};
  const auto next = std::make_unique<Object<64>>();
  EXPECT_NE(place_of(larger), place_of(next));
}

// Else it would be as small as its own size, on the list from which larger ones are taken.
TEST(Recycled, WhatACheckedPartOfAProgramMakesMayBeFreedByAnother) {
  for (int i = 0; i < 10; ++i) {
    std::unique_ptr<CheckedObject>(make_checked_object()).reset();
    const auto larger = std::make_unique<Object<64>>();
    EXPECT_GE(::malloc_usable_size(larger.get()), sizeof *larger);
  }
}

TEST(Recycled, LargeAndAlignedObjectsAreAllocated) {
  const auto large = std::make_unique<Object<4000>>();
  large->payload[3999] = std::byte{1};
  for (int i = 0; i < 10; ++i) {
    const auto aligned = std::make_unique<Aligned>();
    EXPECT_EQ(place_of(aligned) % alignof(Aligned), 0U);
  }
}

TEST(Recycled, MoreThanAreKeptMayBeFreedAndByAnotherThread) {
  std::vector<std::unique_ptr<Object<40>>> objects(10'000);
  for (auto& object : objects) object = std::make_unique<Object<40>>();
  std::thread([&objects] {
    objects.clear();
    Recycled::free_kept();
  }).join();
  const auto here = std::make_unique<Object<40>>();
  here->payload[0] = std::byte{1};
  Recycled::free_kept();
}

}  // namespace
}  // namespace tasuki::test
