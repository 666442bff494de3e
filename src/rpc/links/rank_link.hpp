// A client's connection to one rank of a module, over which calls and their blocks go for as long
// as the module is leased to the client.
//
// Owned by RankLinks. Thread-safety: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "rpc/links/exchange.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Where a rank waits for the client, and what lets the client in, once.
struct RankAddress {
  Endpoint endpoint;
  std::string ticket;
};

class RankLink {
 public:
  /// Throws tasuki::error if the rank cannot be reached.
  RankLink(int rank, const RankAddress& address);

  /// Sends the message, which is `head` as a frame, and the rank's blocks.
  void send(std::span<const std::uint8_t> head, const Exchange& exchange);
  /// Receives the answer, and blocks if it has results. Returns: the answer, with the seconds of
  /// sending. Throws tasuki::error if the rank reports a failure.
  nlohmann::json receive(const Exchange& exchange);
  bool has_ended() const noexcept { return socket_.has_ended(); }
  /// Any thread, as moved_bytes().
  void shut_down() noexcept { socket_.shut_down(); }
  std::int64_t moved_bytes() const noexcept { return socket_.moved_bytes(); }

 private:
  int rank_;
  Socket socket_;
  BlockSender sender_;
};

}  // namespace tasuki::rpc
