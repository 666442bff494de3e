#include "coll/phases/reduce_pipeline.hpp"

namespace tasuki::coll {

bool goes_by_rank_zero(const Shape& shape, bool any_root_keeps_order) {
  return !shape.commutative && !any_root_keeps_order && shape.root != 0;
}

Schedule reduce_pipeline(const Shape& shape, bool any_root_keeps_order, int segments,
                         const std::function<TreePlace(int)>& place_at) {
  ScheduleBuilder builder;
  const bool is_root = shape.rank == shape.root;
  const bool in_place = is_root && shape.in_place;
  const Slice own{in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const bool detour = goes_by_rank_zero(shape, any_root_keeps_order);
  const int tree_root = detour ? 0 : shape.root;
  const TreePlace place = place_at(tree_root);
  Slice home{Buffer::output, 0, shape.count};
  // Only the head of the tree combines at home; with a detour that is not the root.
  if (detour && shape.rank == tree_root) home = builder.scratch(shape.count);
  if (shape.ranks == 1) {
    if (!in_place) builder.copy(own, home);
    return builder.finish();
  }
  Timeline timeline;
  pipeline_up(builder, timeline, place, own, home, in_place, segments);
  timeline.write(builder);
  if (detour && shape.rank == tree_root) builder.send(shape.root, home);
  if (detour && is_root) builder.receive(tree_root, home);
  return builder.finish();
}

}  // namespace tasuki::coll
