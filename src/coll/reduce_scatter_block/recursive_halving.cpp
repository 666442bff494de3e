#include "coll/phases/butterfly.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::reduce_scatter_block {
namespace {

/// The blocks of the ranks of groups [first, last).
Window group_blocks(const Fold& fold, const Blocks& blocks, int first, int last) {
  const int end = fold.leader(last - 1) + fold.size(last - 1);
  const Slice slice = blocks.range(fold.leader(first), end);
  return {slice.offset, slice.count};
}

void write_halving(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
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
  const Blocks sums = blocks.moved_to(accumulator.value(), shape.ranks);
  for (int member = leader + 1; member < leader + fold.size(group); ++member) {
    builder.send(member, sums.of(member));
  }
  builder.copy(sums.of(shape.rank), result);
  builder.next_round();
}

void write_butterfly(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Blocks blocks = operand_blocks(shape);
  const Slice result = result_of(shape);
  const Fold fold(shape.ranks);
  // Halving leaves part mirrored(g) with group g, so the blocks of group g are put there first.
  const Slice permuted = builder.scratch(total_receive_count(shape));
  std::vector<std::size_t> offsets{0};
  for (int part = 0; part < fold.active(); ++part) {
    const int group = mirrored(part, fold.active());
    const int first = fold.leader(group);
    const Slice from = blocks.range(first, first + fold.size(group));
    builder.copy(from, permuted.part(offsets.back(), from.count));
    offsets.push_back(offsets.back() + from.count);
  }
  builder.next_round();
  const int group = fold.group(shape.rank);
  const int leader = fold.leader(group);
  Accumulator accumulator(builder, permuted, permuted);
  if (!fold_in(accumulator, fold, shape.rank)) {
    builder.receive(leader, result);
    builder.next_round();
    return;
  }
  recursive_splitting(accumulator, fold, shape.rank, 2,
                      [&](int part) { return offsets[as_size(part)]; });
  std::size_t place = offsets[as_size(mirrored(group, fold.active()))];
  builder.copy(permuted.part(place, result.count), result);
  place += result.count;
  for (int member = leader + 1; member < leader + fold.size(group); ++member) {
    builder.send(member, permuted.part(place, blocks.count(member)));
    place += blocks.count(member);
  }
  builder.next_round();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  const Fold fold(shape.ranks);
  const Blocks blocks = operand_blocks(shape);
  Cost result{as_size(ceil_log(fold.active())) + (fold.folded() > 0 ? 2 : 0),
              total_receive_count(shape) * as_size(fold.active() - 1 + fold.folded())};
  for (int rank = 0; rank < shape.ranks; ++rank) {
    if (!fold.leads(rank)) result.elements += blocks.count(rank);
  }
  return result;
}

}  // namespace

extern const AlgorithmDescriptor recursive_halving = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "recursive_halving",
    .summary =
        "Halves exchanged at halving distance, after folding to a power of two (Thakur, "
        "Rabenseifner and Gropp 2005).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{write_halving, cost},
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: N (q - 1 + p - q) + blocks of the p - q folded "
        "ranks; N = sum of all blocks, q = power of two <= p",
};

extern const AlgorithmDescriptor butterfly = {
    .collective = Collective::reduce_scatter_block,
    .uneven = Collective::reduce_scatter,
    .name = "butterfly",
    .summary =
        "Recursive halving on blocks in mirrored order, so that operators need not commute (Traff "
        "2005).",
    .way = BySchedule{write_butterfly, cost},
    .cost_text =
        "rounds: log2 q, + 2 if p > q; elements: N (q - 1 + p - q) + blocks of the p - q folded "
        "ranks; N = sum of all blocks, q = power of two <= p",
};

}  // namespace tasuki::coll::reduce_scatter_block
