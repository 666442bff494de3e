#include "transport/shm/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

namespace tasuki::transport::shm {
namespace {

using Range = std::pair<std::size_t, std::size_t>;  ///< Offset and size.

std::vector<Range> all_parts(const Layout& layout) {
  std::vector<Range> parts{{0, page_bytes}, {layout.scratch_offset(), layout.scratch_bytes()}};
  for (int rank = 0; rank < layout.size(); ++rank) {
    parts.emplace_back(layout.record_offset(rank), sizeof(RankRecord));
    parts.emplace_back(layout.heap_offset(rank), layout.heap_max_bytes());
    for (int other = 0; other < layout.size(); ++other) {
      parts.emplace_back(layout.ring_offset(rank, other), layout.ring_bytes());
      parts.emplace_back(layout.consumed_offset(rank, other), sizeof(RingConsumed));
    }
    parts.emplace_back(layout.openers_offset(rank), layout.openers_words() * sizeof(std::uint64_t));
  }
  return parts;
}

// As in docs/design/launch.md and the launcher's job_file.py.
TEST(Layout, TheFirstWordSaysWhichItIs) {
  const std::string text(reinterpret_cast<const char*>(&job_magic), sizeof job_magic);
  const std::uint16_t record_bytes = sizeof(RankRecord);
  EXPECT_EQ(text.substr(2), "TASUKI");
  EXPECT_EQ(std::memcmp(text.data(), &record_bytes, sizeof record_bytes), 0);
}

TEST(Layout, PartsDoNotOverlapAndFillTheFile) {
  for (const int size : {1, 2, 3, 8, 33, 100}) {
    const Layout layout(size, 64 * 1024, 1 << 20);
    std::vector<Range> parts = all_parts(layout);
    std::sort(parts.begin(), parts.end());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      ASSERT_LE(parts[i - 1].first + parts[i - 1].second, parts[i].first) << "size " << size;
    }
    EXPECT_EQ(parts.back().first + parts.back().second, layout.total_bytes());
  }
}

TEST(Layout, PartsAreAligned) {
  const Layout layout(5, 16 * 1024, 12345);
  EXPECT_EQ(layout.scratch_offset() % page_bytes, 0u);
  for (int rank = 0; rank < 5; ++rank) {
    EXPECT_EQ(layout.record_offset(rank), page_bytes + static_cast<std::size_t>(rank) * 384)
        << "the launcher looks there";
    EXPECT_EQ(layout.heap_offset(rank) % huge_page_bytes, 0u);
    EXPECT_EQ(layout.inbox_offset(rank) % page_bytes, 0u);
    EXPECT_EQ(layout.inbox_bytes() % page_bytes, 0u);
    EXPECT_EQ(layout.ring_offset(rank, 4) % page_bytes, 0u);
    EXPECT_EQ(layout.consumed_offset(rank, 4) % sizeof(RingConsumed), 0u);
  }
}

TEST(Layout, AnInboxHoldsAllThatItsRankReceivesThrough) {
  const Layout layout(7, 64 * 1024, 1 << 20);
  for (int reader = 0; reader < 7; ++reader) {
    const std::size_t begin = layout.inbox_offset(reader);
    const std::size_t end = begin + layout.inbox_bytes();
    EXPECT_LE(layout.openers_offset(reader) + sizeof(std::uint64_t),
              begin + layout.inbox_head_bytes());
    for (int writer = 0; writer < 7; ++writer) {
      EXPECT_GE(layout.consumed_offset(reader, writer), begin);
      EXPECT_LE(layout.ring_offset(reader, writer) + layout.ring_bytes(), end);
    }
  }
}

TEST(Layout, ImpossibleSizesAreRefused) {
  for (const std::size_t ring_bytes : {0u, 1u, 8u * 1024, 65537u, 1u << 31}) {
    EXPECT_THROW(Layout(2, ring_bytes, 1 << 20), error) << ring_bytes;
  }
  EXPECT_THROW(Layout(2, 64 * 1024, 0), error);
}

}  // namespace
}  // namespace tasuki::transport::shm
