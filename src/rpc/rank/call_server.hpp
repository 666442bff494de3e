// Serves the calls of one client: receives a call and its blocks, runs the routine, sends results.
// What the client leaves on the ranks is kept for later calls.
//
// Used by the rank's lease. Thread-safety: none; the thread that runs routines.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <tasuki/error.hpp>

#include "rpc/rank/array_transfer.hpp"
#include "rpc/rank/block_memory.hpp"
#include "rpc/rank/call_reporter.hpp"
#include "rpc/rank/kept.hpp"
#include "rpc/rank/rank_program.hpp"
#include "rpc/tls/copy_codes.hpp"
#include "rpc/tls/running_digest.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/peer_memory.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class CallServer {
 public:
  /// Requires: all outlive it. What the client says is added to `said`, unless it is refused.
  CallServer(const RankProgram& program, Kept& kept, CallReporter& reporter, Socket& client,
             const std::optional<PeerMemory>& memory, std::int64_t call_most_bytes,
             RunningDigest& said)
      : program_(program),
        kept_(kept),
        reporter_(reporter),
        sender_(client),
        copies_(program.secret),
        client_{client, sender_, memory, reporter, copies_},
        call_most_bytes_(call_most_bytes),
        said_(said) {}

  /// Serves the next call. Throws tasuki::error if it fails, RefusedCall if that was before its
  /// routine has begun, BrokenOffCall if it was later and the client has gone; the client has been
  /// told so if it still listens.
  void serve();

 private:
  void serve(const nlohmann::json& message);
  void call(const nlohmann::json& message);
  void keep(const nlohmann::json& message);
  void make(const nlohmann::json& message);
  void free(const nlohmann::json& message);
  const Routine& routine_of(const nlohmann::json& message) const;
  /// Adds to the digest a message and the codes of arrays that all ranks have got with it.
  void note(std::span<const std::uint8_t> body);
  /// Tells reporter and client, and throws the error on.
  [[noreturn]] void fail(const error& fault, std::span<const std::uint8_t> body);

  const RankProgram& program_;
  Kept& kept_;
  CallReporter& reporter_;
  BlockSender sender_;
  CopyCodes copies_;
  ClientLink client_;
  std::int64_t call_most_bytes_;
  RunningDigest& said_;
  bool has_begun_ = false;  ///< Has a routine of the call under way?
  BlockMemory memory_;      ///< What a call has used serves the next one.
};

}  // namespace tasuki::rpc
