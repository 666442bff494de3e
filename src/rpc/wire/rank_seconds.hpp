// Where a rank's time went during a call.
//
// Measured by the rank; part of its answer to the client and of what it tells the front end.
// Thread-safety: values.
#pragma once

#include <nlohmann/json.hpp>

namespace tasuki::rpc {

struct RankSeconds {
  double receive = 0;  ///< Of its blocks, and their conversion.
  double compute = 0;  ///< In the routine.
  double send = 0;     ///< Of its results.
  double cpu = 0;      ///< That the threads of its process ran meanwhile, in the routine.
};

/// For messages.
nlohmann::json to_json(const RankSeconds& seconds);
/// For reports: the seconds but `cpu`, and threads_of.
nlohmann::json report_of(const RankSeconds& seconds);
/// Parts that are missing are 0. Throws tasuki::error if one is no number.
RankSeconds rank_seconds_from(const nlohmann::json& seconds);

/// Returns: how many threads of the rank's process ran at once while the routine did, on average,
/// and at least 1: the number of threads that shared the work, where they did not wait.
double threads_of(const RankSeconds& seconds) noexcept;

}  // namespace tasuki::rpc
