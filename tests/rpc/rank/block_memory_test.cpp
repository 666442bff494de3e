#include "rpc/rank/block_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tasuki::rpc {
namespace {

constexpr std::size_t long_bytes = std::size_t{6} << 20;

TEST(BlockMemoryTest, MemoryOfTheSameSizeServesTheNextCall) {
  BlockMemory memory;
  for (const std::size_t bytes : {std::size_t{100}, long_bytes}) {
    std::vector<BlockMemory::Piece> pieces;
    pieces.push_back(memory.take(bytes));
    const void* const first = pieces.front().memory.get();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0U);
    memory.keep(std::move(pieces));
    EXPECT_EQ(memory.take(bytes).memory.get(), first);
  }
}

TEST(BlockMemoryTest, TwoBlocksOfOneCallAreApart) {
  BlockMemory memory;
  std::vector<BlockMemory::Piece> pieces;
  pieces.push_back(memory.take(100));
  pieces.push_back(memory.take(100));
  EXPECT_NE(pieces[0].memory.get(), pieces[1].memory.get());
}

TEST(BlockMemoryTest, ThereIsAPieceForNothing) {
  BlockMemory memory;
  EXPECT_NE(memory.take(0).memory.get(), nullptr);
}

TEST(BlockMemoryTest, NobodySeesWhatAnotherHasLeft) {
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{1} << 20, long_bytes}) {
    for (int round = 0; round < 3; ++round) {
      BlockMemory memory;
      const BlockMemory::Piece piece = memory.take(bytes);
      auto* const begin = static_cast<unsigned char*>(piece.memory.get());
      EXPECT_EQ(std::count(begin, begin + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
      std::fill_n(begin, bytes, 0xff);
    }
  }
}

TEST(BlockMemoryTest, MoreThanThereIsIsNotGiven) {
  BlockMemory memory;
  EXPECT_EQ(memory.take(std::size_t{1} << 62).memory.get(), nullptr);
}

}  // namespace
}  // namespace tasuki::rpc
