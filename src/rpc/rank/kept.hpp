// What clients have left on this rank for their later calls: arrays, and objects of classes.
//
// Owned by the rank's service, used by the calls of each lease. Thread-safety: none; the thread
// that runs routines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

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
