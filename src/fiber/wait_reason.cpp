#include <tasuki/detail/fiber/wait_reason.hpp>

namespace tasuki::fiber {

const char* describe(WaitKind kind) noexcept {
  switch (kind) {
    case WaitKind::none:
      return "nothing";
    case WaitKind::reply:
      return "the reply to a call";
    case WaitKind::sync_read:
      return "a value in a Sync (nobody is known to write it)";
    case WaitKind::room:
      return "room in the channel";
    case WaitKind::transfer:
      return "a transfer of memory";
    case WaitKind::collective:
      return "the other ranks of a collective";
    case WaitKind::future:
      return "a Future that no single call fulfils";
    case WaitKind::quiesce:
      return "all calls everywhere to be done";
    case WaitKind::yielded:
      return "its turn (it yielded)";
  }
  return "something unknown";
}

const WaitReason& last_reason(const WaitReason& reason) noexcept {
  const WaitReason* last = &reason;
  while (last->kind == WaitKind::future && last->object != nullptr) {
    last = static_cast<const WaitReason*>(last->object);
  }
  return *last;
}

}  // namespace tasuki::fiber
