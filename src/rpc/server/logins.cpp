#include "rpc/server/logins.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "rpc/tls/digest.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

std::string Logins::begin(std::shared_ptr<const User> user, Clock::time_point now) {
  std::string name = make_secret();
  const Guard guard(mutex_);
  const auto is_of_user = [&](const auto& one) { return one.second.user->name == user->name; };
  if (std::ranges::count_if(logins_, is_of_user) >= of_user_most) {
    auto theirs = logins_ | std::views::filter(is_of_user);
    const std::string oldest = std::ranges::min_element(theirs, {}, [](const auto& one) {
                                 return one.second.last_use;
                               })->first;
    logins_.erase(oldest);
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
