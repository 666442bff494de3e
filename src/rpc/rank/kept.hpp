// What clients have left on this rank for their later calls: arrays, and objects of classes.
//
// Owned by the rank's service, used by the calls of each lease. Thread-safety: none; the thread
// that runs routines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "rpc/links/lost_array.hpp"
#include "rpc/links/lost_object.hpp"
#include "rpc/rank/keep_limit.hpp"
#include "rpc/rank/kept_arrays.hpp"
#include "rpc/rank/kept_objects.hpp"
#include "rpc/rank/kept_owner.hpp"

namespace tasuki::rpc {

struct Kept {
  /// Requires: `program` outlives it.
  Kept(const RankProgram& program, std::int64_t limit_bytes)
      : limit(limit_bytes), arrays(limit), objects(program, limit) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  /// As KeptArrays::refusal; an object of that name is a reason, too.
  std::optional<Lost> array_refusal(const std::string& id,
                                    const layout::ArrayLayout& layout) const {
    if (!objects.contains(id)) return arrays.refusal(id, layout);
    return LostArray("put an array", "there is an object of this name already",
                     "choose another name");
  }
  /// As KeptObjects::make; throws LostObject, too, if an array has that name.
  std::int64_t make_object(const std::string& id, const std::string& class_name) {
    if (!arrays.contains(id)) return objects.make(id, class_name);
    throw LostObject("make an object", "there is an array of this name already",
                     "choose another name");
  }
  /// Whatever it is.
  void free(const std::string& id) {
    arrays.free(id);
    objects.free(id);
  }
  /// The front end lets these be freed; `happened` is why, for calls that name them later.
  void discard(std::span<const std::string> ids, const std::string& happened) {
    for (const std::string& one : ids) {
      arrays.discard(one, happened);
      objects.discard(one, happened);
    }
  }
  /// What the clients in `gone` have left is freed; `ask_quota` is for the owner's user.
  void lease_to(const KeptOwner& owner, std::span<const std::int64_t> gone,
                KeepLimit::AskQuota ask_quota) {
    arrays.lease_to(owner, gone);
    objects.lease_to(owner, gone);
    limit.count_for(std::move(ask_quota));
  }

  KeepLimit limit;
  KeptArrays arrays;
  KeptObjects objects;
};

}  // namespace tasuki::rpc
