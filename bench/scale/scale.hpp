// What a rank costs: the memory it takes and the time of a barrier with all others.
//
// Shared by scale_tasuki and its MPI baseline, which `tasuki bench scale` starts with many ranks.
// Thread-safety: the rank's own thread.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "common/command_line.hpp"
#include "common/json.hpp"

namespace tasuki::bench::scale {

struct Options {
  int barriers_count = 100;
};

inline Options parse(int argc, char** argv) {
  Options options;
  CLI::App line("Measures a barrier of all ranks and the memory of each.", "bench_scale");
  line.add_option("--barriers", options.barriers_count, "how many are timed")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  apps::parse(line, argc, argv);
  return options;
}

/// What one rank has found. Trivially copyable: it travels to rank 0 as it is.
struct Found {
  double barrier_seconds = 0;  ///< Of all barriers, after one that is not timed.
  double memory_bytes = 0;     ///< 0: the system does not tell.
};

/// The memory of this process, what it shares with others divided among them (PSS).
/// Returns: bytes; 0 if the system does not tell.
inline double memory_bytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("Pss:")) return 1024 * std::stod(line.substr(4));
  }
  return 0;
}

/// Collective.
template <class Barrier>
Found measure(const Options& options, Barrier barrier) {
  using Clock = std::chrono::steady_clock;
  barrier();
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < options.barriers_count; ++i) barrier();
  Found found;
  found.barrier_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  found.memory_bytes = memory_bytes();
  barrier();  // What ends gives its share of the memory to the others.
  return found;
}

/// One JSON object; `all` is by rank.
inline void print(const Options& options, const std::vector<Found>& all) {
  double slowest_s = 0;
  double bytes = 0;
  for (const Found& found : all) {
    slowest_s = std::max(slowest_s, found.barrier_seconds);
    bytes += found.memory_bytes;
  }
  apps::Json object = {{"barrier_seconds", slowest_s / options.barriers_count},
                       {"timed_seconds", slowest_s},
                       {"memory_bytes", nullptr}};
  if (bytes > 0) object["memory_bytes"] = bytes / static_cast<double>(all.size());
  fmt::print("{}\n", object.dump());
}

}  // namespace tasuki::bench::scale
