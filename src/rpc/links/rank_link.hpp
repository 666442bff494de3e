// A client's connection to one rank of a module, over which calls and their blocks go for as long
// as the module is leased to the client.
//
// Owned by RankLinks. Thread-safety: one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "rpc/links/exchange.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/peer_memory.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Where a rank waits for the client, and what lets the client in, once.
struct RankAddress {
  Endpoint endpoint;  ///< If it is encrypted, by a key made from the ticket.
  std::string ticket;
};

/// From what the front end says of a rank, by a connection that is encrypted like those to ranks.
/// Throws tasuki::error if that is not all.
RankAddress rank_address_from(const nlohmann::json& rank, bool is_encrypted);

class RankLink {
 public:
  /// Throws tasuki::error if the rank cannot be reached. `offers_memory`: the rank may read this
  /// process's memory, if it is on the same machine.
  RankLink(int rank, const RankAddress& address, bool offers_memory);
  /// By a connection that is there already.
  RankLink(int rank, Socket socket) : rank_(rank), socket_(std::move(socket)), sender_(socket_) {}
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;

  /// Sends the message, which is `head` as a frame, and the rank's blocks.
  void send(std::span<const std::uint8_t> head, const Exchange& exchange);
  /// Waits until the rank may say something.
  using Await = std::function<void()>;

  /// Receives the answer, and blocks if it has results; `await` comes before each message, and
  /// `await_arrays` before the blocks are written to the caller's arrays. Returns:
  /// the answer, with the seconds of sending. Throws FailedCall if the rank reports a failure, and
  /// tasuki::error if that is no answer.
  nlohmann::json receive(
      const Exchange& exchange, const Await& await = [] {}, const Await& await_arrays = [] {});
  /// Receives the answer alone, after it has served what callbacks come before: the blocks of
  /// results follow. Throws like `receive`.
  nlohmann::json receive_answer(const ServeCallback& serve_callback, const Await& await);

  /// From now on each wait for the rank calls `check` about each second. It ends by what that
  /// throws, and by nothing else but the end of the connection.
  void watch(const Await& check);
  /// For who sends and receives blocks piece by piece, in order.
  BlockSender& sender() noexcept { return sender_; }
  Socket& socket() noexcept { return socket_; }
  /// May both read each other's memory?
  bool shares_memory() const noexcept { return memory_.has_value(); }
  bool has_ended() const noexcept { return socket_.has_ended(); }
  /// Any thread, as moved_bytes().
  void shut_down() noexcept { socket_.shut_down(); }
  std::int64_t moved_bytes() const noexcept { return socket_.moved_bytes() + read_bytes_; }

 private:
  void offer_memory();
  /// The rank's block of a result, from the rank's memory.
  void read(const PlacedArray& placed, std::uint64_t block);
  /// The rank may change what was read. Throws tasuki::error if that may have been another's.
  void confirm_reading();

  std::string ticket_;  ///< Where the rank finds it, if it may read this process's memory.
  int rank_;
  Socket socket_;
  std::optional<Socket::Patience> patience_ = {};  ///< Of who watches.
  BlockSender sender_;
  std::optional<PeerMemory> memory_ = {};
  std::atomic<std::int64_t> read_bytes_ = 0;  ///< By either end, from the memory of the other.
};

}  // namespace tasuki::rpc
