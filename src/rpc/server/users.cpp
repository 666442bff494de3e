#include "rpc/server/users.hpp"

#include <string>
#include <utility>

#include "rpc/tls/digest.hpp"

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

void Users::replace(std::vector<User> users) {
  std::vector<std::shared_ptr<const User>> made;
  for (User& one : users) made.push_back(std::make_shared<const User>(std::move(one)));
  const Guard guard(mutex_);
  users_ = std::move(made);
}

bool Users::need_token() const {
  const Guard guard(mutex_);
  return !users_.empty();
}

std::shared_ptr<const User> Users::find(std::string_view token) const {
  const std::string digest = sha256_text(token);
  const Guard guard(mutex_);
  return find_digest(digest);
}

std::shared_ptr<const User> Users::current(const User& user) const {
  const Guard guard(mutex_);
  return find_digest(user.token_sha256);
}

std::shared_ptr<const User> Users::find_digest(std::string_view digest) const {
  if (users_.empty()) return std::make_shared<const User>();
  std::shared_ptr<const User> found;
  for (const auto& one : users_) {
    if (is_same_secret(one->token_sha256, digest)) found = one;
  }
  return found;
}

}  // namespace tasuki::rpc
