// Which process is at the other end of a connection: the system knows, whatever the peer says.
//
// Asked before a process's memory is read. Thread-safety: pure functions.
#pragma once

#include <sys/types.h>

namespace tasuki::rpc {

/// Does the process hold the other end of this TCP connection? That of another user does not, nor
/// one of another network namespace, as this process cannot see what it holds.
bool holds_other_end(pid_t process, int descriptor);

}  // namespace tasuki::rpc
