#include "coll/phases/butterfly.hpp"

#include <numeric>
#include <vector>

namespace tasuki::coll {
namespace {

/// The parts that group `group` still works on when peers at distances below `distance` have
/// been met: `size` parts from `first`.
struct Span {
  int first = 0;
  int size = 0;
};

Span span_before(int group, int groups, int distance, int radix) {
  Span span{0, groups};
  for (int met = 1; met < distance; met *= radix) {
    span.size /= radix;
    span.first += (group / met) % radix * span.size;
  }
  return span;
}

Window window(const PartOffset& parts, Span span) {
  const std::size_t begin = parts(span.first);
  return {begin, parts(span.first + span.size) - begin};
}

/// The groups that differ from `group` in the digit of this weight only, in order of that digit.
struct Team {
  std::vector<int> groups;
  int self;
};

Team team_of(int group, int distance, int radix) {
  Team team{{}, (group / distance) % radix};
  for (int digit = 0; digit < radix; ++digit) {
    team.groups.push_back(group + (digit - team.self) * distance);
  }
  return team;
}

std::vector<int> leaders_of(const Team& team, const Fold& fold) {
  std::vector<int> leaders;
  for (const int group : team.groups) leaders.push_back(fold.leader(group));
  return leaders;
}

}  // namespace

bool fold_in(Accumulator& accumulator, const Fold& fold, int rank) {
  const int group = fold.group(rank);
  const int leader = fold.leader(group);
  if (rank != leader) {
    accumulator.send(leader);
    return false;
  }
  std::vector<int> members(as_size(fold.size(group)));
  std::iota(members.begin(), members.end(), leader);
  accumulator.absorb_among(members, 0);
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

void recursive_multiplying(Accumulator& accumulator, const Fold& fold, int rank, int radix) {
  const Window whole{0, accumulator.home().count};
  for (int distance = 1; distance < fold.active(); distance *= radix) {
    const Team team = team_of(fold.group(rank), distance, radix);
    accumulator.exchange_among(leaders_of(team, fold), team.self,
                               std::vector<Window>(team.groups.size(), whole));
  }
}

int mirrored(int group, int groups, int radix) {
  return span_before(group, groups, groups, radix).first;
}

void recursive_splitting(Accumulator& accumulator, const Fold& fold, int rank, int radix,
                         const PartOffset& parts) {
  for (int distance = 1; distance < fold.active(); distance *= radix) {
    const Team team = team_of(fold.group(rank), distance, radix);
    std::vector<Window> windows;
    for (const int group : team.groups) {
      windows.push_back(window(parts, span_before(group, fold.active(), distance * radix, radix)));
    }
    accumulator.exchange_among(leaders_of(team, fold), team.self, windows);
  }
}

void recursive_joining(ScheduleBuilder& builder, Slice home, const Fold& fold, int rank, int radix,
                       const PartOffset& parts) {
  const int group = fold.group(rank);
  for (int distance = fold.active() / radix; distance >= 1; distance /= radix) {
    const Team team = team_of(group, distance, radix);
    const auto part_of = [&](int owner) {
      const Window part = window(parts, span_before(owner, fold.active(), distance * radix, radix));
      return home.part(part.offset, part.count);
    };
    for (int step = 1; step < radix; ++step) {
      builder.send(fold.leader(team.groups[as_size((team.self + step) % radix)]), part_of(group));
      const int source = team.groups[as_size((team.self - step + radix) % radix)];
      builder.receive(fold.leader(source), part_of(source));
    }
    builder.next_round();
  }
}

void joining_at(ScheduleBuilder& builder, Slice home, const Fold& fold, int rank, int head,
                const PartOffset& parts) {
  const int group = fold.group(rank);
  for (int distance = fold.active() / 2; distance >= 1; distance /= 2) {
    const int peer = group ^ distance;
    const bool hands_over = (group & distance) != (head & distance);
    const Window part =
        window(parts, span_before(hands_over ? group : peer, fold.active(), 2 * distance, 2));
    const Slice place = home.part(part.offset, part.count);
    if (hands_over) {
      builder.send(fold.leader(peer), place);
      builder.next_round();
      return;
    }
    builder.receive(fold.leader(peer), place);
    builder.next_round();
  }
}

std::size_t joining_at_elements(const Fold& fold, int head, const PartOffset& parts) {
  std::size_t elements = 0;
  for (int group = 0; group < fold.active(); ++group) {
    if (group == head) continue;
    // It hands over at the largest distance at which it differs from the head.
    const int distance = floor_power(group ^ head);
    elements += window(parts, span_before(group, fold.active(), 2 * distance, 2)).count;
  }
  return elements;
}

}  // namespace tasuki::coll
