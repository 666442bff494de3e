// How the blocks of one call travel between its client and this rank: by the connection, as
// numbers of this machine or as XDR, or by reading the other's memory.
//
// Made for each call from its message. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/rank/call_files.hpp"
#include "rpc/rank/call_reporter.hpp"
#include "rpc/tls/copy_codes.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/peer_memory.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

/// A client, and how this rank reaches it. `memory` is the client's, if this process may read it.
struct ClientLink {
  Socket& socket;
  BlockSender& sender;
  const std::optional<PeerMemory>& memory;
  CallReporter& reporter;
  CopyCodes& copies;  ///< Of what it sends to each rank alike.
};

/// A rank's block of an array.
struct ArrayBlock {
  const Parameter& parameter;
  const layout::ArrayLayout& layout;
  int rank;
  std::span<std::byte> bytes;
};

class ArrayTransfer {
 public:
  /// Throws tasuki::error if the message is no call. Requires: all outlive it.
  ArrayTransfer(const ClientLink& client, const nlohmann::json& message);

  void receive(const ArrayBlock& block);
  /// The client sends its block whatever the rank thinks of it.
  void discard(const ArrayBlock& block);
  /// Sends the message, the blocks after it or where the client finds them, and the files whose
  /// sizes the message has. Returns when the blocks may change.
  void send_results(nlohmann::json results, const std::vector<ArrayBlock>& blocks,
                    const CallFiles& files);

 private:
  bool is_in_memory(const Parameter& parameter) const;
  void receive_block(const ArrayBlock& block);
  void read(const ArrayBlock& block);
  void send_as_xdr(const std::vector<ArrayBlock>& blocks);

  const ClientLink& client_;
  WireFormat wire_;
  nlohmann::json in_memory_;  ///< Where the client has arrays, by name.
};

}  // namespace tasuki::rpc
