// How much of what clients leave behind the ranks of a module keep, and how much they do: of all
// users together, and of the user to whose client the ranks are leased.
//
// Shared by the arrays and objects of a rank; every rank counts the same. Thread-safety: none; the
// thread that runs routines.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "rpc/links/kept_quota.hpp"

namespace tasuki::rpc {

class KeepLimit {
 public:
  /// `bytes` is that of all ranks together.
  explicit KeepLimit(std::int64_t bytes) noexcept : bytes_(bytes) {}

  /// From now on what is used and given back is that of this user; nothing: of one without a quota.
  void count_for(const std::optional<KeptQuota>& quota) { quota_ = quota; }

  bool is_over_quota(std::int64_t bytes) const noexcept {
    return quota_ && bytes > quota_->most_bytes - quota_->used_bytes;
  }
  bool has_room(std::int64_t bytes) const noexcept {
    return bytes <= bytes_ - used_bytes_ && !is_over_quota(bytes);
  }
  void use(std::int64_t bytes) noexcept {
    used_bytes_ += bytes;
    if (quota_) quota_->used_bytes += bytes;
  }
  void give_back(std::int64_t bytes) noexcept { use(-bytes); }

  /// Requires: is_over_quota(bytes). Throws Lost, which names the quota.
  [[noreturn]] void refuse_quota(const std::string& operation, std::int64_t bytes) const {
    throw Lost(quota_kind, operation,
               fmt::format("it has {} bytes, and of the quota kept_memory_bytes = {} of user {}"
                           " {} are used",
                           bytes, quota_->most_bytes, quota_->user, quota_->used_bytes),
               "free other arrays and objects, or ask for a larger quota");
  }

  std::int64_t bytes() const noexcept { return bytes_; }
  std::int64_t used_bytes() const noexcept { return used_bytes_; }

 private:
  std::int64_t bytes_;
  std::int64_t used_bytes_ = 0;
  std::optional<KeptQuota> quota_;
};

}  // namespace tasuki::rpc
