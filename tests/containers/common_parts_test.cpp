#include <tasuki/detail/containers/common_parts.hpp>

#include <gtest/gtest.h>

#include "layout/random_layout.hpp"

namespace tasuki::containers {
namespace {

using layout::ArrayLayout;
using layout::Axis;
using layout::Grid;

using Block = std::vector<std::int64_t>;

/// What each rank has: the number of each element in the whole array.
std::vector<Block> blocks_of(const ArrayLayout& layout) {
  std::vector<Block> blocks;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    Block& block = blocks.emplace_back();
    for (const layout::Index& index : layout::indices_of(layout, rank)) {
      std::int64_t number = 0;
      for (std::size_t d = 0; d < index.size(); ++d) {
        number = number * layout.axis(static_cast<int>(d)).extent() + index[d];
      }
      block.push_back(number);
    }
  }
  return blocks;
}

/// One with the same extents, divided otherwise.
ArrayLayout other_layout(layout::RandomLayouts& random, const ArrayLayout& layout) {
  std::vector<Axis> axes;
  std::vector<int> processes;
  for (int d = 0; d < layout.dimensions(); ++d) {
    const std::int64_t extent = layout.axis(d).extent();
    processes.push_back(static_cast<int>(random.number(1, 3)));
    axes.emplace_back(extent, layout::BlockCyclic{random.number(1, 4)}, processes.back());
  }
  return {std::move(axes), Grid(std::move(processes)), sizeof(std::int64_t),
          random.number(0, 1) == 0 ? layout::Order::row_major : layout::Order::column_major};
}

/// Moves all elements as ranks would, by what both sides pack and unpack.
std::vector<Block> moved(const std::vector<Block>& blocks, const ArrayLayout& from,
                         const ArrayLayout& to) {
  std::vector<std::vector<Block>> parts;  // By sender, then by receiver.
  for (int sender = 0; sender < from.ranks(); ++sender) {
    const CommonParts common(from, sender, to);
    const Block& block = blocks[static_cast<std::size_t>(sender)];
    Block packed(block.size());
    common.pack(std::as_bytes(std::span(block)).data(),
                std::as_writable_bytes(std::span(packed)).data());
    auto begin = packed.begin();
    std::vector<Block>& for_receivers = parts.emplace_back();
    for (const std::size_t count : common.counts()) {
      const auto end = begin + static_cast<std::ptrdiff_t>(count);
      for_receivers.emplace_back(begin, end);
      begin = end;
    }
  }
  std::vector<Block> arrived;
  for (int receiver = 0; receiver < to.ranks(); ++receiver) {
    Block packed;
    for (const auto& for_receivers : parts) {
      const Block& part = for_receivers[static_cast<std::size_t>(receiver)];
      packed.insert(packed.end(), part.begin(), part.end());
    }
    Block& block = arrived.emplace_back(packed.size());
    CommonParts(to, receiver, from)
        .unpack(std::as_bytes(std::span(packed)).data(),
                std::as_writable_bytes(std::span(block)).data());
  }
  return arrived;
}

TEST(CommonPartsTest, elements_come_to_where_the_other_layout_has_them) {
  layout::RandomLayouts random(1);
  for (int i = 0; i < 300; ++i) {
    const ArrayLayout drawn = random.layout();
    if (drawn.dimensions() == 0) continue;
    const ArrayLayout from = other_layout(random, drawn);
    const ArrayLayout to = other_layout(random, drawn);
    EXPECT_EQ(moved(blocks_of(from), from, to), blocks_of(to)) << i;
  }
}

}  // namespace
}  // namespace tasuki::containers
