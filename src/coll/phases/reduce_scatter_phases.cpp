#include "coll/phases/reduce_scatter_phases.hpp"

#include "coll/patterns/fold.hpp"
#include "coll/phases/butterfly.hpp"
#include "coll/phases/circulant_phases.hpp"
#include "coll/phases/ring_phases.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll {
namespace {

/// The same blocks in scratch, one after the other from `room` on.
Blocks at(const Slice& room, const Shape& shape, const Blocks& blocks) {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> offsets;
  std::size_t next = room.offset;
  for (int rank = 0; rank < shape.ranks; ++rank) {
    counts.push_back(blocks.count(rank));
    offsets.push_back(next);
    next += counts.back();
  }
  return Blocks::varying(room.buffer, counts, offsets);
}

/// The blocks of the ranks of groups [first, last).
Window group_blocks(const Fold& fold, const Blocks& blocks, int first, int last) {
  const int end = fold.leader(last - 1) + fold.size(last - 1);
  const Slice slice = blocks.range(fold.leader(first), end);
  return {slice.offset, slice.count};
}

}  // namespace

void reduce_then_scatter(ScheduleBuilder& builder, const Shape& shape) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const std::size_t total = total_receive_count(shape);
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, 0, 2);
  const Slice own{Buffer::input, 0, total};
  Accumulator accumulator(builder, own, node.children.empty() ? own : builder.scratch(total));
  knomial_reduce(accumulator, node);
  if (shape.rank != 0) {
    builder.receive(0, result);
    builder.next_round();
    return;
  }
  const Blocks sums = at(accumulator.value(), shape, blocks);
  for (int other = 1; other < shape.ranks; ++other) builder.send(other, sums.of(other));
  builder.copy(sums.of(0), result);
  builder.next_round();
}

void halving_reduce_scatter(ScheduleBuilder& builder, const Shape& shape) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const std::size_t total = total_receive_count(shape);
  const Fold fold(shape.ranks);
  const int group = fold.group(shape.rank);
  const int leader = fold.leader(group);
  const Slice own{Buffer::input, 0, total};
  Accumulator accumulator(builder, own, shape.rank == leader ? builder.scratch(total) : own);
  if (!fold_in(accumulator, fold, shape.rank)) {
    builder.receive(leader, result);
    builder.next_round();
    return;
  }
  for (int distance = fold.active() / 2; distance >= 1; distance /= 2) {
    const int peer = group ^ distance;
    const auto half = [&](int side) {
      const int first = side / distance * distance;
      return group_blocks(fold, blocks, first, first + distance);
    };
    accumulator.exchange_parts(fold.leader(peer), peer < group ? Side::left : Side::right,
                               half(peer), half(group));
  }
  const Blocks sums = at(accumulator.value(), shape, blocks);
  for (int member = leader + 1; member < leader + fold.size(group); ++member) {
    builder.send(member, sums.of(member));
  }
  builder.copy(sums.of(shape.rank), result);
  builder.next_round();
}

void pairwise_reduce_scatter(ScheduleBuilder& builder, const Shape& shape) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const int p = shape.ranks;
  const Slice own = blocks.of(shape.rank);
  if (p == 1) builder.copy(own, result);
  Accumulator accumulator(builder, own, result);
  for (int distance = 1; distance < p; ++distance) {
    const int target = (shape.rank + distance) % p;
    builder.send(target, blocks.of(target));
    accumulator.absorb(wrapped(shape.rank - distance, p), Side::left);
  }
}

void around_reduce_scatter(ScheduleBuilder& builder, const Shape& shape) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const std::size_t total = total_receive_count(shape);
  if (shape.ranks == 1) {
    builder.copy(blocks.of(0), result);
    return;
  }
  const Blocks sums = at(builder.scratch(total), shape, blocks);
  ring_reduce_scatter(builder, shape.ranks, shape.rank, blocks, sums, false, 0);
  builder.copy(sums.of(shape.rank), result);
  builder.next_round();
}

void short_reduce_scatter(ScheduleBuilder& builder, const Shape& shape) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const std::size_t total = total_receive_count(shape);
  if (shape.ranks == 1) {
    builder.copy(blocks.of(0), result);
    return;
  }
  const Blocks sums = at(builder.scratch(total), shape, blocks);
  circulant_reduce_scatter(builder, shape.ranks, shape.rank, blocks, sums, false);
  builder.copy(sums.of(shape.rank), result);
  builder.next_round();
}

}  // namespace tasuki::coll
