// What a fiber waits for and what it is doing: a few words stored at each wait, so that a hang
// report costs nothing until somebody asks for it.
//
// Thread-safety: values.
#pragma once

#include <cstdint>

namespace tasuki::fiber {

enum class WaitKind : std::uint8_t {
  none,
  reply,       ///< The result of a remote call (rank, function).
  sync_read,   ///< A value in a Sync (object); nobody is known to write it.
  room,        ///< Room in the channel to a rank.
  transfer,    ///< A put, get or atomic to be complete (rank).
  collective,  ///< The other ranks of a team in a collective (object = its name, static string).
  future,      ///< A Future that no single call fulfils.
  quiesce,     ///< All calls to be done, everywhere or among the ranks of a team.
  yielded,     ///< Nothing: it only yielded.
};

const char* describe(WaitKind kind) noexcept;

/// Why a fiber waits.
struct WaitReason {
  WaitKind kind = WaitKind::none;
  int rank = -1;                 ///< Rank that has to act, -1 if not one.
  const void* object = nullptr;  ///< Sync or static text, by kind. future: see last_reason.
  std::uintptr_t function = 0;   ///< reply: local address of the called function's trampoline.
  /// reply: identifies the call together with the caller's rank. collective and
  /// quiesce: the runtime's address of the team, 0 for all ranks.
  std::uint64_t call_id = 0;
};

/// Why one waits in the end who waits for `reason`. A future that follows another has as `object`
/// the WaitReason of that one, so that there is a list, of which this is the last; `reason` itself
/// where futures wait for each other.
const WaitReason& last_reason(const WaitReason& reason) noexcept;

/// What a fiber runs: nothing (rank -1), the program's main, or a call from a rank.
struct Activity {
  int caller_rank = -1;
  std::uintptr_t function = 0;
  std::uint64_t call_id = 0;
  const char* label = "";
};

}  // namespace tasuki::fiber
