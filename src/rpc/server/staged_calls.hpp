// Serves the calls of a client whose arrays pass through the front end, which is to the client what
// a single rank would be.
//
// Used on the thread of the client's connection. Thread-safety: that thread alone.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/interface/module.hpp"
#include "rpc/links/rank_links.hpp"
#include "rpc/server/call_record.hpp"
#include "rpc/server/staged_call.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// How the front end handles arrays.
using Staging = void (*)(Socket& client, RankLinks& ranks, const StagedCall& call,
                         const StagingTerms& terms);
/// Returns: nullptr if there is no such mode.
Staging staging_of(std::string_view mode) noexcept;

/// What the calls are of, and who is told how long the front end took for each.
struct StagedModule {
  const Module& module;
  Staging staging;
  StagingTerms terms;
  std::int64_t call_most_bytes;  ///< That arrays and files of a call may need on a rank.
  /// A client in the midst of a call may hold it up; between calls it may be silent for as long as
  /// it likes.
  Socket::Seconds client_most;
  std::function<void(std::int64_t call, FrontEndPart part)> tell_seconds;
};

class StagedCalls {
 public:
  /// Requires: all outlive it.
  StagedCalls(Socket& client, RankLinks& ranks, StagedModule staged)
      : client_(client), ranks_(ranks), staged_(std::move(staged)) {}

  /// Serves calls until client or ranks end their connections. Throws tasuki::error if a call
  /// fails; the client has been told so if it still listens.
  void serve();

 private:
  /// Waits for a call. Returns: false if none will come.
  bool has_next() const;
  void serve(const nlohmann::json& message);
  void call(const nlohmann::json& message);
  /// Takes what a client still sends that has been told of an error: else the system would drop the
  /// answer with the connection. Returns once the client has gone, or sends nothing any more.
  void hear_out();

  Socket& client_;
  RankLinks& ranks_;
  StagedModule staged_;
};

}  // namespace tasuki::rpc
