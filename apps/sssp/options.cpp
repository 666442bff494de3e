#include "sssp/options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/usage_error.hpp"
#include "sssp/method.hpp"
#include "sssp/partitioning.hpp"

namespace tasuki::sssp {
namespace {

template <class List>
std::vector<std::string> names(const List& list) {
  std::vector<std::string> result;
  for (const auto& one : list) result.emplace_back(one.name);
  return result;
}

template <class List>
std::string explained(std::string what, const List& list) {
  for (const auto& one : list) what += fmt::format("; {}: {}", one.name, one.summary);
  return what;
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options;
  if (!partitioning(options.partition).remedy.empty()) options.partition = "block";
  CLI::App line("Shortest paths from one node of a graph.", "sssp");
  line.add_option("--graph", options.graph, ".gr (DIMACS or PACE) or edge list, also .xz")
      ->required();
  line.add_option("--method", options.method, explained("how", methods()))
      ->check(CLI::IsMember(names(methods())))
      ->capture_default_str();
  line.add_option("--partition", options.partition,
                  explained("who owns which nodes", partitionings()))
      ->check(CLI::IsMember(names(partitionings())))
      ->capture_default_str();
  line.add_option("--source", options.source,
                  "where to begin, as the file counts; without it, at its first node")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{most_nodes}));
  line.add_option("--delta", options.delta,
                  "width of a bucket of delta-stepping; 0: one that suits the graph")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{most_weight}));
  line.add_option("--searches", options.searches,
                  "to time, of which the median counts; fewer where they take long")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  line.add_flag("--speedup", options.speedup, "measure Dijkstra on one rank too");
  apps::add_common_options(line, options);
  apps::parse(line, argc, argv);
  if (options.delta != 0 && !method(options.method).has_buckets)
    throw apps::usage_error(fmt::format(
        "tasuki: sssp: --delta has no meaning for --method {}. Remedy: leave one of them out.",
        options.method));
  const std::string_view remedy = partitioning(options.partition).remedy;
  if (!remedy.empty())
    throw apps::usage_error(
        fmt::format("tasuki: sssp: --partition {} is not part of this build. Remedy: {}; or use "
                    "--partition block.",
                    options.partition, remedy));
  return options;
}

}  // namespace tasuki::sssp
