// Shortest paths by the threads of one process: the baseline in shared memory (see
// shared_search.hpp), with the graphs, the options and the report of sssp_tasuki.cpp.
//
// OMP_NUM_THREADS says how many threads; the method is always delta-stepping.

#include <omp.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "common/reported_errors.hpp"
#include "common/usage_error.hpp"
#include "sssp/method.hpp"
#include "sssp/node.hpp"
#include "sssp/shared_search.hpp"

namespace tasuki::sssp {
namespace {

/// The only rank has nobody to talk to.
class NoExchange : public Exchange {
 public:
  explicit NoExchange(bool split) : Exchange(omp_get_wtime, split) {}

  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  void barrier() override {}
  void broadcast(std::span<std::byte>) override {}
  void allreduce_minimum(std::span<Distance>) override {}
  void alltoall(std::span<const Request> outgoing, std::span<Request> incoming) override {
    std::ranges::copy(outgoing, incoming.begin());
  }
  std::vector<Distance> collect(std::span<const Distance> mine) override {
    return {mine.begin(), mine.end()};
  }
};

Options checked(const Options& options) {
  if (!method(options.method).has_buckets)
    throw apps::usage_error(fmt::format(
        "tasuki: sssp: over OpenMP there is no --method {}. Remedy: use --method delta.",
        options.method));
  Options result = options;
  result.partition = "block";  // All nodes belong to the only rank.
  return result;
}

int search_with_threads(const Options& given) {
  const Options options = checked(given);
  NoExchange exchange(options.split);
  const Problem problem(options, exchange);
  SharedSearch search(problem.graph, problem.delta);
  Result result = time_searches(options, exchange, [&] { return search.solve(problem.source); });
  result.distances.assign(search.distances().begin(), search.distances().end());
  if (options.perturb) ++result.distances[problem.source];
  apps::Report report = report_of(result, 1, problem, options, omp_get_wtime);
  report.implementation = "openmp";
  report.transport = fmt::format("{} threads", omp_get_max_threads());
  report.measurements = {result.measurement};
  return print(report, options.json);
}

}  // namespace
}  // namespace tasuki::sssp

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::reporting_errors([&] {
    const sssp::Options options = sssp::parse_options(argc, argv);
    return sssp::reporting_graph_errors(0, sssp::search_with_threads, options);
  });
}
