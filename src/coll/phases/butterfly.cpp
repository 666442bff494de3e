#include "coll/phases/butterfly.hpp"

#include <vector>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {
namespace {

/// The parts that group `group` still works on when peers at distances below `distance` have
/// been met: `size` parts from `first`.
struct Span {
  int first = 0;
  int size = 0;
};

Span span_before(int group, int groups, int distance) {
  Span span{0, groups};
  for (int met = 1; met < distance; met *= 2) {
    span.size /= 2;
    if ((group & met) != 0) span.first += span.size;
  }
  return span;
}

Window window(const PartOffset& parts, Span span) {
  const std::size_t begin = parts(span.first);
  return {begin, parts(span.first + span.size) - begin};
}

}  // namespace

bool fold_in(Accumulator& accumulator, const Fold& fold, int rank) {
  const int group = fold.group(rank);
  const int leader = fold.leader(group);
  if (rank != leader) {
    accumulator.send(leader);
    return false;
  }
  for (int member = leader + 1; member < leader + fold.size(group); ++member) {
    accumulator.absorb(member, Side::right);
  }
  return true;
}

void fold_out(ScheduleBuilder& builder, Accumulator& accumulator, const Fold& fold, int rank) {
  const int group = fold.group(rank);
  const int leader = fold.leader(group);
  if (rank != leader) {
    accumulator.replace(leader);
    return;
  }
  for (int member = leader + 1; member < leader + fold.size(group); ++member) {
    builder.send(member, accumulator.home());
  }
  builder.next_round();
}

int mirrored(int group, int groups) { return span_before(group, groups, groups).first; }

void recursive_halving(Accumulator& accumulator, const Fold& fold, int rank,
                       const PartOffset& parts) {
  const int groups = fold.active();
  const int group = fold.group(rank);
  for (int distance = 1; distance < groups; distance *= 2) {
    const int peer = group ^ distance;
    const Span keep = span_before(group, groups, 2 * distance);
    const Span give = span_before(peer, groups, 2 * distance);
    accumulator.exchange_parts(fold.leader(peer), peer < group ? Side::left : Side::right,
                               window(parts, give), window(parts, keep));
  }
}

void recursive_doubling_gather(ScheduleBuilder& builder, Slice home, const Fold& fold, int rank,
                               const PartOffset& parts) {
  const int groups = fold.active();
  const int group = fold.group(rank);
  for (int distance = groups / 2; distance >= 1; distance /= 2) {
    const int peer = group ^ distance;
    const Window mine = window(parts, span_before(group, groups, 2 * distance));
    const Window theirs = window(parts, span_before(peer, groups, 2 * distance));
    builder.send(fold.leader(peer), home.part(mine.offset, mine.count));
    builder.receive(fold.leader(peer), home.part(theirs.offset, theirs.count));
    builder.next_round();
  }
}

void butterfly_reduce_scatter(ScheduleBuilder& builder, const Shape& shape, const Blocks& blocks,
                              std::size_t total, Slice result) {
  const Fold fold(shape.ranks);
  // Halving leaves part mirrored(g) with group g, so the blocks of group g are put there first.
  const Slice permuted = builder.scratch(total);
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
  recursive_halving(accumulator, fold, shape.rank,
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

}  // namespace tasuki::coll
