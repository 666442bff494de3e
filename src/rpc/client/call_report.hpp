// What a client can say of a call that has ended: how it went, how much it moved, and where its
// time went (docs/formats/call-report.md).
//
// Made by Client. Thread-safety: values.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rpc/client/transfer_mode.hpp"
#include "rpc/wire/rank_seconds.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

struct CallReport {
  std::string server = {};  ///< The address of the one where the call ran.
  TransferMode mode = TransferMode::automatic;
  WireFormat wire = WireFormat::native;
  std::int64_t sent_bytes = 0;
  std::int64_t received_bytes = 0;
  double client_s = 0;
  double front_end_s = 0;
  std::vector<RankSeconds> ranks = {};
  /// The seconds of a front end that has divided the arrays; an object if it has.
  nlohmann::json front_end = {};
  /// An array for each argument whose texts have come back; an object if there is one.
  nlohmann::json texts = {};
  /// That the interface tells of, if it does.
  std::optional<std::int64_t> operations = {};

  /// Of the rank that has computed for longest.
  double computation_s() const noexcept;
  /// Puts the seconds of the answers of the ranks, or of the front end for them, into the report.
  /// Throws std::exception if they are malformed.
  void take_seconds(std::vector<nlohmann::json> answers, bool is_staged);
};

/// Returns: the report as a JSON object. What is no UTF-8 in texts is replaced.
std::string json_text_of(const CallReport& report);

}  // namespace tasuki::rpc
