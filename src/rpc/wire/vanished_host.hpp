// Connections whose other host has vanished: it ends no connection, and its silence looks like that
// of a host that is busy.
//
// The system is told to ask a silent host. It does not while something is under way to that host:
// then it repeats it for a quarter of an hour before it ends the connection. So who waits looks
// from time to time how often the system has repeated in vain. A peer that is alive and takes
// nothing is no case of this: its system answers.
// Thread-safety: any thread.
#pragma once

#include <netinet/tcp.h>

#include <chrono>

namespace tasuki::rpc {

/// A wait without any time limit ends so often, to look.
constexpr std::chrono::seconds vanished_host_look_interval{10};
/// The same, for poll().
constexpr int vanished_host_look_interval_ms =
    static_cast<int>(std::chrono::milliseconds(vanished_host_look_interval).count());

/// Lets the system end the connection if the other host says nothing for a minute.
void ask_silent_host(int descriptor);

/// Has the system repeated the same for about a minute without an answer? Returns: false if that is
/// no connection over TCP.
bool has_vanished_host(int descriptor);
bool has_vanished_host(const tcp_info& connection) noexcept;

/// Has the other host answered nothing since something was sent to it, which the system has
/// repeated already? It may do yet.
bool is_silent_host(int descriptor);
bool is_silent_host(const tcp_info& connection) noexcept;

}  // namespace tasuki::rpc
