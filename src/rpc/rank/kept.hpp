// What clients have left on this rank for their later calls: arrays, and objects of classes.
//
// Owned by the rank's service, used by the calls of each lease. Thread-safety: none; the thread
// that runs routines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rpc/links/kept_quota.hpp"
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
  /// What the clients in `gone` have left is freed; `quota` is of the owner's user.
  void lease_to(const KeptOwner& owner, std::span<const std::int64_t> gone,
                const std::optional<KeptQuota>& quota) {
    limit.count_for({});
    arrays.lease_to(owner, gone);
    objects.lease_to(owner, gone);
    limit.count_for(quota);
  }

  KeepLimit limit;
  KeptArrays arrays;
  KeptObjects objects;
};

}  // namespace tasuki::rpc
