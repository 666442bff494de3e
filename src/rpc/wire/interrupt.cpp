#include "rpc/wire/interrupt.hpp"

#include <atomic>

namespace tasuki::rpc {
namespace {

std::atomic<IsInterrupted> current = nullptr;

}  // namespace

void set_interrupt_check(IsInterrupted check) noexcept { current = check; }

bool is_interrupted() noexcept {
  const IsInterrupted check = current;
  return check != nullptr && check() != 0;
}

}  // namespace tasuki::rpc
