// How many descriptors the front end may have open: as many as the system permits it.
//
// Systems start processes with a low soft limit, as some programs use select() or go through all
// descriptors. The front end does neither, and a connection costs it a descriptor; the programs
// that it starts may. Thread-safety: any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace tasuki::rpc {

/// Raises the soft limit of this process to the hard one.
void raise_descriptor_limit() noexcept;
/// Gives a program that this process has started the limit from before `raise_descriptor_limit`.
void restore_descriptor_limit(pid_t program) noexcept;
/// Returns: how many connections a user's clients have if nobody says it. It is half of what the
/// limits of descriptors and threads permit, and 4096 at most: the rest is for other users, ranks
/// and relays.
std::int64_t usual_connections_most() noexcept;

}  // namespace tasuki::rpc
