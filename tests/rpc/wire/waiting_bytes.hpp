// What has been sent to one end of a connection and is still to be received there, for tests of
// what is received when.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <chrono>
#include <thread>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

inline int waiting_bytes(const Socket& end) {
  int bytes = -1;
  EXPECT_EQ(ioctl(end.descriptor(), FIONREAD, &bytes), 0);
  return bytes;
}

/// Waits until so many bytes are left. Returns: are they?
inline bool await_waiting_bytes(const Socket& end, int bytes) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (waiting_bytes(end) != bytes && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return waiting_bytes(end) == bytes;
}

/// For so long who should do nothing has time to do something.
inline constexpr std::chrono::milliseconds moment{50};

/// Returns: are so many bytes left, also after a moment?
inline bool keeps_waiting_bytes(const Socket& end, int bytes) {
  std::this_thread::sleep_for(moment);
  return waiting_bytes(end) == bytes;
}

/// Returns: does something come within a moment?
inline bool comes_soon(Socket& end) {
  pollfd one{end.descriptor(), POLLIN, 0};
  return end.has_ahead() || poll(&one, 1, static_cast<int>(moment.count())) == 1;
}

}  // namespace tasuki::rpc
