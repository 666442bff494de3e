// What the measuring programs are asked on standard input, one line each, and how they answer.
//
//   measure COLLECTIVE BYTES ALGORITHM PARAMETERS SAMPLES SECONDS
//   list COLLECTIVE BYTES
//   machine
//
// The answer is one line of JSON on rank 0. Thread-safety: values and pure functions.
#pragma once

#include <tasuki/coll/collective.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tasuki::measure {

struct Request {
  std::string command;
  coll::Collective collective{};
  std::size_t message_bytes = 0;  ///< As PolicyRow counts them; a multiple of 4.
  std::string algorithm;          ///< "native": whatever the library chooses by itself.
  std::string parameters;         ///< As Parameters::parse reads them.
  int samples_most = 0;
  double seconds_most = 0;
};

/// Throws tasuki::error if the line does not read so.
Request parse_request(const std::string& line);

/// What was measured: times of one call, of the slowest rank.
struct Answer {
  std::vector<double> samples_ns;
  bool right = true;        ///< Was the result what the collective's definition says?
  bool same_bits = true;    ///< Had all ranks the same bits, where they should?
  std::string unavailable;  ///< Why it could not be measured, or "".
};

std::string to_json(const Answer& answer);

}  // namespace tasuki::measure
