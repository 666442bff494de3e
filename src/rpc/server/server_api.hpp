// What the front end tells programs and its page, as JSON: docs/formats/server-api.md.
//
// Owned by ServerPage. Thread-safety: any thread.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "rpc/server/server_view.hpp"
#include "rpc/server/user.hpp"

namespace tasuki::rpc {

class ServerApi {
 public:
  static constexpr std::size_t past_most = 100;

  /// Requires: what the view refers to outlives it.
  explicit ServerApi(const ServerView& view) : view_(view) {}

  /// `user` is who asks.
  nlohmann::json status(const User& user) const;
  /// `url` is the address that examples name.
  nlohmann::json routines(const std::string& url) const;
  /// Calls under way, and at most `most` past ones.
  nlohmann::json calls(const User& user, std::size_t most) const;
  nlohmann::json ranks() const;
  /// What the user's clients have left on the ranks.
  nlohmann::json arrays(const User& user) const;

 private:
  const ServerView& view_;
};

}  // namespace tasuki::rpc
