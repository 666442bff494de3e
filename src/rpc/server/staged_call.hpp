// A call whose arrays pass through the front end: the client sends and receives each in one piece,
// and the front end divides and collects them.
//
// The two methods of Ogawa et al. (1998) beside the hand-off: `call_original` holds all arrays in
// the front end's memory, `call_buffering` passes them through a ring of fixed size. Thread-safety:
// one thread for each client.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/links/rank_links.hpp"
#include "rpc/server/staging_room.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

/// An array, how it lies on the ranks, and how its owner has it.
struct StagedArray {
  const Parameter& parameter;
  const layout::ArrayLayout& layout;
  const layout::ArrayLayout& whole;
};

/// What holds for all calls of a client.
struct StagingTerms {
  StagingRoom& room;  ///< For what the front end holds.
  /// Called, by any thread, if the client moves next to nothing. It makes the lease fail for this
  /// reason, before the ranks see that their connections end. `has_begun`: has any rank heard of
  /// the call?
  std::function<void(bool has_begun)> client_is_slow;
  /// Called with the seconds so far, before the client gets results: with them it may end the
  /// lease.
  std::function<void(double seconds)> ranks_have_answered = [](double) {};
};

struct StagedCall {
  nlohmann::json message;
  WireFormat wire = WireFormat::native;  ///< Of client and front end.
  std::vector<StagedArray> sent = {};
  std::vector<StagedArray> returned = {};
  std::vector<PlacedFile> sent_files = {};  ///< Which are not open here.
  std::vector<std::string> returned_files = {};
};

/// Receives the arrays that follow the message, calls the ranks, and sends results. Both throw
/// Lost if the ranks have refused the call, FailedCall if it has failed on one of them, TooSlow if
/// the client holds it up, and tasuki::error if a connection ends.
/// `call_original` takes its part of the room first, and throws tasuki::error if there is none;
/// `call_buffering` needs none.
void call_original(Socket& client, RankLinks& ranks, const StagedCall& call,
                   const StagingTerms& terms);
void call_buffering(Socket& client, RankLinks& ranks, const StagedCall& call,
                    const StagingTerms& terms);

/// Returns: what passes on callbacks from the first rank to the client, and their answers back.
ServeCallback pass_to(Socket& client);

/// What precedes the results, with the seconds since `start_ns`, which `terms` are told, and what
/// the ranks have answered.
nlohmann::json staged_results(std::int64_t start_ns, const std::vector<nlohmann::json>& answers,
                              const StagingTerms& terms);

}  // namespace tasuki::rpc
