// How much of what clients leave behind the ranks of a module keep, and how much they do; and who
// knows whether the quota of a user allows more.
//
// Shared by the arrays and objects of a rank; every rank counts the same. Thread-safety: none; the
// thread that runs routines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "rpc/links/lost.hpp"

namespace tasuki::rpc {

class KeepLimit {
 public:
  /// Returns: why the quota of the user to whose client the ranks are leased does not allow so many
  /// bytes more, for something of that name; nothing if it does. They are counted from then on.
  using AskQuota = std::function<std::optional<Lost>(const std::string& operation,
                                                     const std::string& name, std::int64_t bytes)>;

  /// So many arrays, and so many objects, a client may have at once: small ones cost more than
  /// their bytes.
  static constexpr std::ptrdiff_t of_client_most = 1000;

  /// `bytes` is that of all ranks together.
  explicit KeepLimit(std::int64_t bytes) noexcept : bytes_(bytes) {}

  /// From now on the ranks are leased to a client of this quota; nothing: without one.
  void count_for(AskQuota ask_quota) { ask_quota_ = std::move(ask_quota); }

  /// What the client to whom the ranks are leased wants to leave.
  struct Wish {
    const char* operation;
    const char* noun;     ///< "array" or "object".
    const char* subject;  ///< What has the bytes, for errors.
    const std::string& name;
    std::int64_t bytes = 0;  ///< On all ranks.
    bool is_name_taken = false;
    std::ptrdiff_t of_client_count = 0;  ///< Of those that the client has.
  };
  /// Returns: why it may not, of the kind lost-array, lost-object or quota_kind; nothing if it may.
  /// Every rank says the same. Requires: then it is kept, or the ranks are started anew.
  std::optional<Lost> refusal(const Wish& wish) const;
  void use(std::int64_t bytes) noexcept { used_bytes_ += bytes; }
  void give_back(std::int64_t bytes) noexcept { used_bytes_ -= bytes; }
  std::int64_t used_bytes() const noexcept { return used_bytes_; }

 private:
  std::int64_t bytes_;
  std::int64_t used_bytes_ = 0;
  AskQuota ask_quota_;
};

}  // namespace tasuki::rpc
