// Shortest paths over Tasuki: beside sssp_mpi.cpp, with the same search.

#include "sssp/node.hpp"
#include "sssp/tasuki_exchange.hpp"

namespace tasuki::sssp {
namespace {

int run(const Options& options) {
  TasukiExchange exchange(options.split);
  const Problem problem(options, exchange);
  const Result mine = search(options, problem, exchange);
  const std::vector<apps::Measurement> measurements = allgather(mine.measurement);
  if (rank() != 0) return 0;
  return print(report_of(mine, measurements, problem, options, "tasuki", apps::transport_name(),
                         apps::now_s),
               options.json);
}

}  // namespace
}  // namespace tasuki::sssp

int main(int argc, char** argv) {
  using namespace tasuki::sssp;
  return tasuki::apps::run_on_every_rank(argc, argv, parse_options, [](const Options& options) {
    return reporting_graph_errors(tasuki::rank(), run, options);
  });
}
