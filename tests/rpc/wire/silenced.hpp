// A connection whose other host seems to have vanished: it takes nothing, and does not say so.
#pragma once

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// From now on the system throws away what comes to this end of a connection over TCP, and so
/// answers nothing.
inline void silence(const Socket& end) {
  sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog filter{1, &nothing};
  EXPECT_EQ(setsockopt(end.descriptor(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter), 0);
}

/// Calls `send`, whose message goes to a silenced end, until `is_silent`: a message that was taken
/// before the system knows of the filter is answered.
template <class Send, class IsSilent>
void send_until(Send send, IsSilent is_silent) {
  while (!is_silent()) {
    send();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace tasuki::rpc
