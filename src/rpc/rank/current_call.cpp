#include "rpc/rank/current_call.hpp"

#include <fmt/format.h>

#include <atomic>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/rank/callback_caller.hpp"

namespace tasuki::rpc {
namespace {

std::atomic<CurrentCall*> current = nullptr;

}  // namespace

CurrentCall::CurrentCall(CallMemory& memory, std::int64_t object,
                         CallbackCaller* callbacks) noexcept
    : memory_(memory), object_(object), callbacks_(callbacks) {
  current = this;
}

CurrentCall::~CurrentCall() { current = nullptr; }

CurrentCall* CurrentCall::get() noexcept { return current; }

void CurrentCall::call_back(const char* name, void* const* arguments) {
  if (failure()) return;
  if (callbacks_ == nullptr) return fail("there is no client whose functions can be called here");
  if (std::this_thread::get_id() != thread_) {
    return fail(fmt::format("{} is called by another thread than the routine's", name));
  }
  try {
    callbacks_->call(name, arguments);
  } catch (const error& fault) {
    fail(fault.happened());
  }
}

void CurrentCall::fail(std::string happened) {
  const std::lock_guard guard(mutex_);
  if (!failure_) failure_ = std::move(happened);
}

std::optional<std::string> CurrentCall::failure() const {
  const std::lock_guard guard(mutex_);
  return failure_;
}

}  // namespace tasuki::rpc
