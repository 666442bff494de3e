// A connection whose other host seems to have vanished: it takes nothing, and does not say so.
#pragma once

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include "rpc/wire/socket.hpp"
#include "support/own_network.hpp"

namespace tasuki::rpc {

/// From now on the system throws away what comes to this end of a connection over TCP, and so
/// answers nothing. Returns: did the system agree?
inline bool silence(const Socket& end) {
  sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog filter{1, &nothing};
  return setsockopt(end.descriptor(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

/// Moves this process to a network of its own where the system lets it `silence` only there.
/// To be called before it has connections or threads. Returns: may it `silence` now?
inline bool prepare_silence() {
  const Socket tried(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "trying a filter");
  return silence(tried) || test::enter_own_network();
}

/// Calls `send`, whose message goes to a silenced end, until `is_silent`: a message that was taken
/// before the system knows of the filter is answered.
template <class Send, class IsSilent>
void send_until(Send send, IsSilent is_silent) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_silent()) {
    ASSERT_LT(std::chrono::steady_clock::now(), give_up);
    send();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace tasuki::rpc
