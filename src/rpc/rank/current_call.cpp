#include "rpc/rank/current_call.hpp"

#include <atomic>
#include <utility>

namespace tasuki::rpc {
namespace {

std::atomic<CurrentCall*> current = nullptr;

}  // namespace

CurrentCall::CurrentCall(CallMemory& memory, std::int64_t object) noexcept
    : memory_(memory), object_(object) {
  current = this;
}

CurrentCall::~CurrentCall() { current = nullptr; }

CurrentCall* CurrentCall::get() noexcept { return current; }

void CurrentCall::fail(std::string happened) {
  const std::lock_guard guard(mutex_);
  if (!failure_) failure_ = std::move(happened);
}

std::optional<std::string> CurrentCall::failure() const {
  const std::lock_guard guard(mutex_);
  return failure_;
}

}  // namespace tasuki::rpc
