// bench_micro: the benchmarks behind `tasuki bench micro`. Prints one JSON array of rows on rank 0.
// Its options are those of --help.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <string>

#include "common/command_line.hpp"
#include "common/tasuki_program.hpp"
#include "sampler.hpp"
#include "suites.hpp"

namespace tasuki::bench {
namespace {

struct Options {
  std::string suite = "shm";
  std::string only;
  bool list = false;
};

Options parse(int argc, char** argv) {
  Options options;
  CLI::App line("Measures single operations beside their baselines.", "bench_micro");
  line.add_option("--suite", options.suite, "which benchmarks")
      ->check(CLI::IsMember({"shm", "stream"}))
      ->capture_default_str();
  line.add_option("--only", options.only, "names that begin so");
  line.add_flag("--list", options.list, "print the names, one a line, and measure nothing");
  apps::parse(line, argc, argv);
  return options;
}

std::vector<Benchmark> benchmarks(const Options& options) {
  if (options.suite == "stream") return stream_benchmarks();
  std::vector<Benchmark> all = memory_benchmarks();
  for (auto& more : {put_benchmarks(), call_benchmarks(), collective_benchmarks()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void print_names(const Options& options) {
  for (const Benchmark& benchmark : benchmarks(options)) {
    if (rank() == 0) fmt::print("{}\n", benchmark.name);
  }
}

void print_rows(const Options& options) {
  apps::Json rows = apps::Json::array();
  for (const Benchmark& benchmark : benchmarks(options)) {
    if (!benchmark.name.starts_with(options.only)) continue;
    for (const Row& row : run(benchmark)) rows.push_back(to_json(row));
  }
  if (rank() == 0) fmt::print("{}\n", rows.dump(1));
  if (mpi_baselines().close != nullptr) mpi_baselines().close();
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_on_every_rank(argc, argv, bench::parse, [](const bench::Options& options) {
    options.list ? bench::print_names(options) : bench::print_rows(options);
    return 0;
  });
}
