#include "coll/phases/blocks.hpp"

#include <algorithm>
#include <numeric>

namespace tasuki::coll {
namespace {

/// The piece itself if there is one, else scratch, between which and the pieces `copy` copies.
template <class Copy>
Slice as_one(ScheduleBuilder& builder, const std::vector<Slice>& pieces, Copy copy) {
  if (pieces.empty()) return {};
  if (pieces.size() == 1) return pieces.front();
  const Slice whole = builder.scratch(total_count(pieces));
  std::size_t offset = 0;
  for (const Slice& piece : pieces) {
    copy(piece, whole.part(offset, piece.count));
    offset += piece.count;
  }
  return whole;
}

}  // namespace

Blocks Blocks::equal(Buffer buffer, std::size_t count, std::size_t base) {
  Blocks blocks;
  blocks.buffer_ = buffer;
  blocks.base_ = base;
  blocks.equal_count_ = count;
  return blocks;
}

Blocks Blocks::cut(Buffer buffer, std::size_t count, int ranks) {
  Blocks blocks = equal(buffer, count / as_size(ranks));
  blocks.longer_ = count % as_size(ranks);
  return blocks;
}

Blocks Blocks::varying(Buffer buffer, const std::vector<std::size_t>& counts,
                       const std::vector<std::size_t>& displacements) {
  Blocks blocks;
  blocks.buffer_ = buffer;
  blocks.counts_ = counts;
  blocks.offsets_ = displacements;
  if (displacements.empty()) {
    blocks.offsets_.resize(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), blocks.offsets_.begin(), std::size_t{0});
  }
  return blocks;
}

Blocks Blocks::moved_to(const Slice& room, int ranks) const {
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> offsets;
  std::size_t next = room.offset;
  for (int rank = 0; rank < ranks; ++rank) {
    sizes.push_back(count(rank));
    offsets.push_back(next);
    next += sizes.back();
  }
  return varying(room.buffer, sizes, offsets);
}

Slice Blocks::of(int rank) const {
  if (counts_.empty()) {
    const std::size_t before = std::min(as_size(rank), longer_);
    return {buffer_, base_ + as_size(rank) * equal_count_ + before,
            equal_count_ + (as_size(rank) < longer_ ? 1 : 0)};
  }
  return {buffer_, offsets_[as_size(rank)], counts_[as_size(rank)]};
}

Slice Blocks::range(int first, int last) const {
  if (first == last) return {buffer_, 0, 0};
  Slice all = of(first);
  all.count = of(last - 1).offset + of(last - 1).count - all.offset;
  return all;
}

std::vector<Slice> Blocks::around(int first, int number, int ranks) const {
  std::vector<Slice> slices;
  if (counts_.empty()) {
    const int start = wrapped(first, ranks);
    const int before_wrap = std::min(number, ranks - start);
    for (const Slice& slice : {range(start, start + before_wrap), range(0, number - before_wrap)}) {
      if (slice.count != 0) slices.push_back(slice);
    }
    return slices;
  }
  for (int step = 0; step < number; ++step) {
    const Slice block = of(wrapped(first + step, ranks));
    if (block.count == 0) continue;
    if (!slices.empty() && slices.back().offset + slices.back().count == block.offset) {
      slices.back().count += block.count;
    } else {
      slices.push_back(block);
    }
  }
  return slices;
}

Blocks received_blocks(const Shape& shape) {
  if (shape.receive_counts.empty()) return Blocks::equal(Buffer::output, shape.count);
  return Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements);
}

Blocks sent_blocks(const Shape& shape) {
  if (shape.send_counts.empty()) return Blocks::equal(Buffer::input, shape.count);
  return Blocks::varying(Buffer::input, shape.send_counts, shape.send_displacements);
}

Blocks operand_blocks(const Shape& shape) {
  if (shape.receive_counts.empty()) return Blocks::equal(Buffer::input, shape.count);
  return Blocks::varying(Buffer::input, shape.receive_counts);
}

Slice result_of(const Shape& shape) {
  return {Buffer::output, 0, operand_blocks(shape).count(shape.rank)};
}

std::size_t total_count(const std::vector<Slice>& slices) {
  std::size_t total = 0;
  for (const Slice& slice : slices) total += slice.count;
  return total;
}

Slice packed(ScheduleBuilder& builder, const std::vector<Slice>& pieces) {
  return as_one(builder, pieces, [&](Slice piece, Slice part) { builder.copy(piece, part); });
}

Slice posted_receive_for(ScheduleBuilder& builder, const std::vector<Slice>& pieces) {
  return as_one(builder, pieces, [&](Slice piece, Slice part) { builder.copy(part, piece); });
}

}  // namespace tasuki::coll
