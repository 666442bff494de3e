// Serves the calls of a client whose arrays pass through the front end, which is to the client what
// a single rank would be.
//
// Used on the thread of the client's connection. Thread-safety: that thread alone.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tasuki/error.hpp>

#include "rpc/interface/module.hpp"
#include "rpc/links/rank_links.hpp"
#include "rpc/server/staged_call.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// How the front end handles arrays.
using Staging = void (*)(Socket& client, RankLinks& ranks, const StagedCall& call);
/// Returns: nullptr if there is no such mode.
Staging staging_of(std::string_view mode) noexcept;

class StagedCalls {
 public:
  /// Requires: all outlive it.
  StagedCalls(Socket& client, RankLinks& ranks, const Module& module, Staging staging)
      : client_(client), ranks_(ranks), module_(module), staging_(staging) {}

  /// Serves calls until client or ranks end their connections. Throws tasuki::error if a call
  /// fails; the client has been told so if it still listens.
  void serve();

 private:
  /// Waits for a call. Returns: false if none will come.
  bool has_next() const;
  void serve(const nlohmann::json& message);
  void call(const nlohmann::json& message);

  Socket& client_;
  RankLinks& ranks_;
  const Module& module_;
  Staging staging_;
};

}  // namespace tasuki::rpc
