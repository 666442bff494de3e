// What the server knows of one call: who called what from where, how far it is, and how it ended.
//
// Made by CallLog, shown to operators and written to the log file: docs/formats/call-report.md.
// Thread-safety: values.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/wire/call_state.hpp"
#include "rpc/wire/rank_seconds.hpp"

namespace tasuki::rpc {

/// Who asks for what, as the front end knows it before any rank does.
struct CallOrigin {
  std::string module;
  std::string routine = {};       ///< Empty if the client has not said it.
  std::string user = {};          ///< Empty where the server asks for no token.
  std::string client_host = {};   ///< Its address, in numbers.
  std::int64_t client = 0;        ///< Tells clients of this server apart.
  std::string mode = "hand-off";  ///< By which arrays travel: TransferMode's name.
};

/// What one rank has said of its part.
struct RankPart {
  CallState state = CallState::receiving;
  RankSeconds seconds = {};
  std::int64_t received_bytes = 0;    ///< Of blocks, so far.
  std::int64_t to_receive_bytes = 0;  ///< In all.
  std::int64_t sent_bytes = 0;
  std::int64_t to_send_bytes = 0;
};

/// What the front end has said of its part.
struct FrontEndPart {
  double seconds = 0;      ///< In which it handled the call's arrays, so far.
  bool has_ended = false;  ///< The client has its results.
};

struct CallRecord {
  std::int64_t number = 0;    ///< Counts the calls of this server.
  std::string kind = "call";  ///< Or "keep" (an array), "make" (an object), "free".
  CallOrigin origin = {};
  CallState state = CallState::queued;
  double begin_s = 0;      ///< Since 1970, when the front end or a rank first heard of it.
  double queued_s = 0;     ///< Until the ranks were leased to its client.
  double client_s = 0;     ///< Since the client's program called, as far as the ranks can tell.
  double front_end_s = 0;  ///< In which the front end handled its arrays.
  std::vector<RankPart> ranks = {};
  std::string happened = {};     ///< What went wrong, if anything.
  std::int64_t calls_count = 1;  ///< More if it stands for calls that were too short and too many.
  std::string kept = {};         ///< The name of what is kept or freed.

  std::int64_t received_bytes() const noexcept;
  std::int64_t sent_bytes() const noexcept;
  /// Of all ranks, in both directions, in the end.
  std::int64_t total_bytes() const noexcept;
};

/// Returns: as docs/formats/call-report.md says.
nlohmann::json to_json(const CallRecord& record);

}  // namespace tasuki::rpc
