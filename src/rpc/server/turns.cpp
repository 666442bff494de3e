#include "rpc/server/turns.hpp"

#include <algorithm>
#include <utility>

namespace tasuki::rpc {

void Turns::add(std::int64_t lease, std::shared_ptr<const User> user) {
  all_.push_back({lease, std::move(user)});
}

bool Turns::remove(std::int64_t lease) {
  const auto found = std::ranges::find(all_, lease, &Turn::lease);
  if (found == all_.end()) return false;
  const bool was_cancelled = found->fault.has_value();
  all_.erase(found);
  return was_cancelled;
}

bool Turns::cancel(std::int64_t lease, const LeaseFault& fault) {
  const auto found = std::ranges::find(all_, lease, &Turn::lease);
  if (found == all_.end()) return false;
  if (!found->fault) found->fault = fault;
  return true;
}

void Turns::cancel_if(const std::function<bool(const User&)>& is_meant, const LeaseFault& fault) {
  for (Turn& one : all_) {
    if (!one.fault && is_meant(*one.user)) one.fault = fault;
  }
}

std::optional<LeaseFault> Turns::fault_of(std::int64_t lease) const {
  const auto found = std::ranges::find(all_, lease, &Turn::lease);
  if (found == all_.end()) return {};
  return found->fault;
}

}  // namespace tasuki::rpc
