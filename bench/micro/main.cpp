// bench_micro: the benchmarks behind `tasuki bench micro`. Prints one JSON array of rows on rank 0.
//
//   bench_micro [--suite shm|stream] [--only PREFIX] [--list]
//
// With --list it prints the names of the suite, one a line, and measures nothing.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <tasuki/tasuki.hpp>

#include "sampler.hpp"
#include "suites.hpp"

namespace tasuki::bench {
namespace {

struct Options {
  std::string_view suite = "shm";
  std::string_view only;
  bool list = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name(argv[i]);
    const bool has_value = i + 1 < argc;
    if (name == "--list") {
      options.list = true;
    } else if (name == "--suite" && has_value) {
      options.suite = argv[++i];
    } else if (name == "--only" && has_value) {
      options.only = argv[++i];
    } else {
      throw error("reading the command line", fmt::format("{} is not an option", name),
                  "use --suite shm|stream, --only PREFIX and --list");
    }
  }
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
  bool first = true;
  if (rank() == 0) std::fputs("[", stdout);
  for (const Benchmark& benchmark : benchmarks(options)) {
    if (!std::string_view(benchmark.name).starts_with(options.only)) continue;
    for (const Row& row : run(benchmark)) {
      std::fputs((std::string(first ? "\n" : ",\n") + to_json(row)).c_str(), stdout);
      std::fflush(stdout);
      first = false;
    }
  }
  if (rank() == 0) std::fputs("\n]\n", stdout);
  if (mpi_baselines().close != nullptr) mpi_baselines().close();
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [&] {
    const auto options = tasuki::bench::parse(argc, argv);
    options.list ? tasuki::bench::print_names(options) : tasuki::bench::print_rows(options);
  });
}
