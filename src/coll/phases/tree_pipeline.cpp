#include "coll/phases/tree_pipeline.hpp"

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"

namespace tasuki::coll {
namespace {

/// Where a rank keeps a segment while it combines: at home, or, as it only passes it on, in one
/// of two places that take turns.
std::vector<Slice> working_places(ScheduleBuilder& builder, const TreePlace& place,
                                  const std::vector<Slice>& homes) {
  if (place.node.parent < 0) return homes;
  if (place.node.children.empty()) return {};
  const std::size_t longest = homes.front().count;
  const Slice even = builder.scratch(longest);
  const Slice odd = homes.size() > 1 ? builder.scratch(longest) : even;
  std::vector<Slice> places;
  for (std::size_t i = 0; i < homes.size(); ++i) {
    places.push_back((i % 2 == 0 ? even : odd).part(0, homes[i].count));
  }
  return places;
}

}  // namespace

std::vector<Slice> cut(const Slice& slice, int segments) {
  const Partition parts(slice.count, segments);
  std::vector<Slice> result;
  for (int i = 0; i < segments; ++i) {
    result.push_back(slice.part(parts.offset(i), parts.count(i)));
  }
  return result;
}

void pipeline_down(Timeline& timeline, const TreePlace& place, const Slice& data, int segments,
                   int start) {
  int time = start + place.depth;
  for (const Slice& segment : cut(data, segments)) {
    if (place.node.parent >= 0) timeline.receive(time - 1, place.node.parent, segment);
    for (const int child : place.node.children) timeline.send(time, child, segment);
    ++time;
  }
}

void pipeline_up(ScheduleBuilder& builder, Timeline& timeline, const TreePlace& place,
                 const Slice& own, const Slice& home, bool in_place, int segments) {
  const auto& children = place.node.children;
  const bool starts_in_place = in_place && place.node.parent < 0;
  const std::vector<Slice> owns = cut(own, segments);
  const std::vector<Slice> places = working_places(builder, place, cut(home, segments));
  std::vector<Slice> posted_receives;
  for (std::size_t child = starts_in_place ? 0 : 1; child < children.size(); ++child) {
    posted_receives.push_back(builder.scratch(owns.front().count));
  }
  for (std::size_t i = 0; i < owns.size(); ++i) {
    const int time = place.height - place.depth + static_cast<int>(i);
    const Slice value = children.empty() ? owns[i] : places[i];
    auto posted_receive = posted_receives.begin();
    for (std::size_t child = 0; child < children.size(); ++child) {
      const bool is_left = static_cast<int>(child) < place.left_count;
      // The first to arrive lands in the place itself, and the own value is added to it. Left
      // operands come nearest first, so each belongs left of all that is there already.
      const bool in_value = child == 0 && !starts_in_place;
      const Slice arrived = in_value ? value : (posted_receive++)->part(0, value.count);
      timeline.receive(time - 1, children[child], arrived);
      const Slice operand = in_value ? owns[i] : arrived;
      if (in_value ? !is_left : is_left) {
        timeline.reduce(time - 1, operand, value);
      } else {
        timeline.reduce_right(time - 1, operand, value);
      }
    }
    if (place.node.parent >= 0) timeline.send(time, place.node.parent, value);
  }
}

}  // namespace tasuki::coll
