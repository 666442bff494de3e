#include "rpc/server/places.hpp"

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

std::unique_ptr<Places::Place> Places::enter(const std::string& whose, std::int64_t most) {
  {
    const Guard guard(mutex_);
    const auto found = counts_.find(whose);
    if ((found == counts_.end() ? 0 : found->second) >= most) return nullptr;
    ++counts_[whose];
  }
  return std::make_unique<Place>(*this, whose);
}

void Places::leave(const std::string& whose) {
  const Guard guard(mutex_);
  const auto found = counts_.find(whose);
  if (--found->second == 0) counts_.erase(found);
}

}  // namespace tasuki::rpc
