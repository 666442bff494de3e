#include "measure/request.hpp"

#include <limits>
#include <utility>

#include "common/request_reader.hpp"
#include "measure/expected_output.hpp"

namespace tasuki::measure {

Request parse_request(std::string_view line) {
  apps::RequestReader fields("measuring", line);
  Request request;
  request.command = fields.text("command", {"measure", "list", "machine", "end"});
  if (request.command == "measure" || request.command == "list") {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    request.collective = coll::collective_named(fields.text("collective"));
    request.message_bytes =
        static_cast<std::size_t>(fields.integer("message_bytes", 0, most, sizeof(float)));
  }
  if (request.command == "measure") {
    constexpr auto most = std::numeric_limits<int>::max();
    request.algorithm = fields.text("algorithm");
    request.parameters = fields.text("parameters");
    request.samples_most = static_cast<int>(fields.integer("samples", 0, most));
    request.seconds_most = fields.number("seconds");
  }
  fields.finish();
  return request;
}

coll::Shape shape_of(const Request& request, int rank, int ranks) {
  coll::Shape shape;
  shape.commutative = true;  // What is measured is a sum.
  shape.rank = rank;
  shape.ranks = ranks;
  shape.element_bytes = sizeof(float);
  shape.count = request.message_bytes / sizeof(float);
  if (!coll::varies(request.collective)) return shape;
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

apps::Json to_json(const Answer& answer) {
  return {{"samples_ns", answer.samples_ns},
          {"right", answer.right},
          {"same_bits", answer.same_bits},
          {"bits", answer.bits},
          {"unavailable", answer.unavailable}};
}

void add_nodes(apps::Json& machine, const coll::Placement* nodes, int ranks) {
  machine["nodes_count"] = nodes != nullptr ? nodes->nodes_count() : 1;
  machine["most_ranks_per_node"] = nodes != nullptr ? nodes->most_ranks_per_node() : ranks;
}

}  // namespace tasuki::measure
