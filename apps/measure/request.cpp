#include "measure/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/base/error.hpp>

#include <sstream>
#include <utility>

#include "info/json.hpp"
#include "measure/expected_output.hpp"

namespace tasuki::measure {

Request parse_request(const std::string& line) {
  std::istringstream words(line);
  Request request;
  std::string collective;
  words >> request.command;
  if (request.command == "machine") return request;
  words >> collective >> request.message_bytes;
  if (request.command == "measure") {
    words >> request.algorithm >> request.parameters >> request.samples_most >>
        request.seconds_most;
    if (request.parameters == "-") request.parameters.clear();
  } else if (request.command != "list") {
    throw error("measuring", fmt::format("'{}' is not a request", line),
                "see apps/measure/request.hpp");
  }
  if (!words || request.message_bytes % sizeof(float) != 0) {
    throw error("measuring", fmt::format("'{}' lacks something", line),
                "see apps/measure/request.hpp");
  }
  request.collective = coll::collective_named(collective);
  return request;
}

coll::Shape shape_of(const Request& request, int rank, int ranks) {
  coll::Shape shape;
  shape.rank = rank;
  shape.ranks = ranks;
  shape.element_bytes = sizeof(float);
  shape.count = request.message_bytes / sizeof(float);
  if (!varies(request.collective)) return shape;
  const bool by_pairs = request.collective == coll::Collective::alltoallv;
  for (int other = 0; other < ranks; ++other) {
    shape.send_counts.push_back(varying_count(shape.count, by_pairs ? rank : 0, other));
    shape.receive_counts.push_back(
        varying_count(shape.count, by_pairs ? other : 0, by_pairs ? rank : other));
  }
  shape.count = shape.receive_counts[static_cast<std::size_t>(rank)];
  return shape;
}

Answer not_measured(std::string why_not) {
  Answer answer;
  answer.unavailable = std::move(why_not);
  return answer;
}

std::string parameter_json(const coll::ParameterDeclaration& parameter) {
  return json::object({{"name", json::quoted(parameter.name)},
                       {"default", std::to_string(parameter.default_value)},
                       {"minimum", std::to_string(parameter.minimum)},
                       {"maximum", std::to_string(parameter.maximum)}});
}

std::string to_json(const Answer& answer) {
  return json::object({{"samples_ns", fmt::format("[{:.1f}]", fmt::join(answer.samples_ns, ", "))},
                       {"right", answer.right ? "true" : "false"},
                       {"same_bits", answer.same_bits ? "true" : "false"},
                       {"bits", std::to_string(answer.bits)},
                       {"unavailable", json::quoted(answer.unavailable)}});
}

}  // namespace tasuki::measure
