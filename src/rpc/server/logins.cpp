#include "rpc/server/logins.hpp"

#include <algorithm>
#include <utility>

#include "rpc/tls/digest.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

std::string Logins::begin(std::shared_ptr<const User> user, Clock::time_point now) {
  std::string name = make_secret();
  const Guard guard(mutex_);
  if (logins_.size() >= most) {
    logins_.erase(
        std::ranges::min_element(logins_, {}, [](const auto& one) { return one.second.last_use; }));
  }
  logins_[sha256(name)] = {std::move(user), now};
  return name;
}

std::shared_ptr<const User> Logins::find(const std::string& name, Clock::time_point now) {
  const Guard guard(mutex_);
  const auto found = logins_.find(sha256(name));
  if (found == logins_.end()) return nullptr;
  if (now - found->second.last_use > idle_most) {
    logins_.erase(found);
    return nullptr;
  }
  found->second.last_use = now;
  return found->second.user;
}

void Logins::end(const std::string& name) {
  const Guard guard(mutex_);
  logins_.erase(sha256(name));
}

}  // namespace tasuki::rpc
