#include "sssp/options.hpp"

#include <fmt/format.h>

#include "common/command_line.hpp"
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
  apps::CommandLine line("sssp");
  line.add_text("graph", options.graph, {}, "file: .gr (DIMACS or PACE) or edge list, also .xz");
  line.add_text("method", options.method, names(methods()), explained("how", methods()));
  line.add_text("partition", options.partition, names(partitionings()),
                explained("who owns which nodes", partitionings()));
  line.add_number("source", options.source, 0, most_nodes,
                  "where to begin, as the file counts; without it, at its first node");
  line.add_number("delta", options.delta, 0, most_weight,
                  "width of a bucket of delta-stepping; 0: one that suits the graph");
  line.add_number("searches", options.searches, 1, 1000,
                  "to time, of which the median counts; fewer where they take long");
  line.add_flag("speedup", options.speedup, true, "measure Dijkstra on one rank too");
  line.add_flag("json", options.json, true, apps::CommandLine::json_help);
  line.add_flag("no-split", options.split, false, apps::CommandLine::split_help);
  line.add_flag("perturb", options.perturb, true, apps::CommandLine::perturb_help);
  line.parse(argc, argv);
  if (options.graph.empty())
    throw apps::usage_error(
        "tasuki: sssp: no graph is given. Remedy: name a file with --graph FILE.");
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
