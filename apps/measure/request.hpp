// What the measuring programs are asked on standard input, one line of JSON each, and what they
// answer.
//
//   {"command": "measure", "collective": "allreduce", "message_bytes": 64, "algorithm": "ring",
//    "parameters": "", "samples": 200, "seconds": 1}
//   {"command": "list", "collective": "allreduce", "message_bytes": 64}
//   {"command": "machine"}
//   {"command": "end"}
//
// `list` tells the algorithms there are, with why one cannot do this; `machine` also the library.
// Without Tasuki "schedule:NAME" is the registry's algorithm, carried out by the library's
// messages. The answer is one line of JSON on rank 0. Thread-safety: values and pure functions.
#pragma once

#include <tasuki/detail/coll/collective.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/json.hpp"

namespace tasuki::measure {

struct Request {
  std::string command;
  coll::Collective collective{};
  std::size_t message_bytes = 0;  ///< As PolicyRow counts them; a multiple of 4.
  /// As in the registry. "chosen": what the policy in force chooses; "native" without Tasuki: what
  /// the library chooses by itself.
  std::string algorithm;
  std::string parameters;  ///< As Parameters::parse reads them.
  int samples_most = 0;
  double seconds_most = 0;
};

/// Throws tasuki::error if the line does not read so.
Request parse_request(std::string_view line);

/// What is asked, as one of so many ranks sees it: elements are float32. Blocks that vary have up
/// to message_bytes (varying_count).
coll::Shape shape_of(const Request& request, int rank, int ranks);

/// What was measured: times of one call, of the slowest rank.
struct Answer {
  std::vector<double> samples_ns;
  bool right = true;        ///< Was the result what the collective's definition says?
  bool same_bits = true;    ///< Had all ranks the same bits, where they should?
  std::uint64_t bits = 0;   ///< Rank 0's, as Sampler::bits; shows the order of additions.
  std::string unavailable;  ///< Why it could not be measured, or "".
};

Answer not_measured(std::string why_not);
apps::Json to_json(const Answer& answer);

/// Adds where the ranks are to what `machine` answers. `nodes` is null where they share one node.
void add_nodes(apps::Json& machine, const coll::Placement* nodes, int ranks);

}  // namespace tasuki::measure
