// A rank's part in a lease: for as long as its module is leased to a client, the rank serves the
// calls of that client alone, which come straight from the client.
//
// Used by the rank's service. Thread-safety: none; the thread that runs routines.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <tasuki/error.hpp>

#include "rpc/rank/broken_off_call.hpp"
#include "rpc/rank/call_gate.hpp"
#include "rpc/rank/call_reporter.hpp"
#include "rpc/rank/call_server.hpp"
#include "rpc/rank/front_end_link.hpp"
#include "rpc/rank/refused_call.hpp"
#include "rpc/tls/running_digest.hpp"
#include "rpc/wire/peer_memory.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class Lease {
 public:
  /// Requires: all outlive it.
  Lease(const RankProgram& program, Kept& kept, CallReporter& reporter, FrontEndLink& front_end,
        const LeaseOrder& order);
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Serves calls until the lease is over, or client or front end have gone. Throws tasuki::error
  /// if a call fails.
  /// `memory` is the client's, if this process may read it. Who connects to the listener between
  /// calls is refused: the ticket has been used.
  void serve(Socket client, const std::optional<PeerMemory>& memory, Listener& listener);
  /// The client has not come for some time: the front end may end the lease without a call.
  void lose_patience() { gate_.lose_patience(); }
  /// May no call begin any more?
  bool is_over() const { return gate_.is_over(); }
  /// Tells the front end that the lease is over on this rank, and what has gone wrong, if anything.
  void report_end(const std::optional<error>& fault);
  /// The same if a call has failed before its routine has begun.
  void report_refusal(const RefusedCall& fault);
  /// The same if a call has failed after that, as the client has gone.
  void report_broken_off(const BrokenOffCall& fault);

 private:
  enum class Heard : std::uint8_t { nothing, call, end };

  /// Waits for a call, or until the front end has said something.
  Heard wait(const Socket& client, Listener& listener);
  void send_end(nlohmann::json facts);

  const RankProgram& program_;
  Kept& kept_;
  CallReporter& reporter_;
  FrontEndLink& front_end_;
  std::int64_t number_;
  std::int64_t call_most_bytes_;
  Socket::Seconds client_most_;
  RunningDigest said_;  ///< Of the client's messages.
  CallGate gate_;
};

}  // namespace tasuki::rpc
