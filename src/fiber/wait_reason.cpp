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

namespace {

/// Returns: what the future of `reason` follows; nullptr if it follows none.
const WaitReason* followed_by(const WaitReason& reason) noexcept {
  if (reason.kind != WaitKind::future) return nullptr;
  return static_cast<const WaitReason*>(reason.object);
}

}  // namespace

// Where futures wait for each other, the list goes round. A second walk of half the speed meets the
// first there (Floyd's algorithm; Knuth, The Art of Computer Programming 2, 1969).
const WaitReason& last_reason(const WaitReason& reason) noexcept {
  const WaitReason* const first = &reason;
  const WaitReason* last = first;
  const WaitReason* behind = first;
  bool is_behind_to_move = false;
  while (const WaitReason* const next = followed_by(*last)) {
    last = next;
    if (is_behind_to_move) behind = followed_by(*behind);
    is_behind_to_move = !is_behind_to_move;
    if (last == behind) return *first;
  }
  return *last;
}

}  // namespace tasuki::fiber
