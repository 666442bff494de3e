// Encrypted connections, and records that come byte by byte, for tests of who waits for them.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// From now on both ends of the connection are encrypted.
inline void encrypt_both(Socket& client, Socket& server) {
  constexpr Socket::Seconds timeout{60};
  const TlsContext context =
      TlsContext::for_listeners([](std::string_view identity) -> std::optional<std::string> {
        return identity == identity_of("ticket") ? std::optional<std::string>("ticket")
                                                 : std::nullopt;
      });
  auto accepted =
      std::async(std::launch::async, [&] { server.accept_encryption(context, timeout); });
  client.encrypt("ticket", timeout);
  accepted.get();
}

/// Returns: the record that `client` sends, which `server` has not seen. It is less than 64 KiB.
inline std::vector<std::byte> record_of(Socket& client, const Socket& server,
                                        const std::vector<std::byte>& data) {
  client.send(data.data(), data.size());
  std::vector<std::byte> record(std::size_t{64} << 10);
  const ssize_t bytes = recv(server.descriptor(), record.data(), record.size(), MSG_DONTWAIT);
  EXPECT_GT(bytes, static_cast<ssize_t>(data.size()));
  record.resize(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
  return record;
}

/// The bytes go to the other end as they are.
inline void send_raw(const Socket& client, const std::byte* data, std::size_t bytes) {
  EXPECT_EQ(::send(client.descriptor(), data, bytes, MSG_NOSIGNAL), static_cast<ssize_t>(bytes));
}

/// Sends a byte of the record each 50 ms until it is told to end.
inline void trickle_record(const Socket& client, const std::vector<std::byte>& record,
                           const std::atomic<bool>& is_over) {
  for (std::size_t i = 0; i < record.size() && !is_over; ++i) {
    if (::send(client.descriptor(), &record[i], 1, MSG_NOSIGNAL) != 1) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace tasuki::rpc
