// The reduces that are pipelines along a tree.
//
// Thread-safety: pure function.
#pragma once

#include <functional>

#include <tasuki/detail/coll/schedule.hpp>
#include <tasuki/detail/coll/shape.hpp>

#include "coll/phases/tree_pipeline.hpp"

namespace tasuki::coll {

/// The schedule of a reduce along the tree that `place_at(tree_root)` describes for this rank. If
/// the operator does not commute and the tree keeps rank order only when rooted at rank 0, the
/// result goes from there to the root.
Schedule reduce_pipeline(const Shape& shape, bool any_root_keeps_order, int segments,
                         const std::function<TreePlace(int tree_root)>& place_at);

/// Does the result take the extra hop?
bool goes_by_rank_zero(const Shape& shape, bool any_root_keeps_order);

}  // namespace tasuki::coll
