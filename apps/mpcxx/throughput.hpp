// The throughput measurement of the MPC++ paper: a stream of writes of one size, then a barrier.
//
// Shared by the program that writes through Tasuki and its MPI baseline that calls MPI_Send, which
// give the stream. Thread-safety: one thread per rank.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "common/command_line.hpp"
#include "common/json.hpp"

namespace tasuki::mpcxx {

inline constexpr std::size_t size_least_bytes = 8;
inline constexpr std::size_t size_most_bytes = std::size_t{1} << 20;
inline constexpr std::size_t page_bytes = 4096;

/// The first page in `memory`, which is a page longer than size_most_bytes. Both programs use whole
/// pages: the kernel's copy between processes slows down where offsets in a page differ.
inline std::byte* page_in(std::byte* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return memory + (page_bytes - address % page_bytes) % page_bytes;
}

/// How much is written to measure one size. A slow network is measured with less than memory.
struct Effort {
  std::size_t stream_bytes = std::size_t{16} << 20;
  int repetitions = 9;
};

/// The only argument, if there is one: the MiB of a stream. Throws apps::usage_error.
inline Effort parse_effort(int argc, const char* const* argv) {
  Effort effort;
  std::size_t mebibytes = effort.stream_bytes >> 20;
  CLI::App line("Throughput of a stream of writes, by their size.", "mpcxx_throughput");
  line.add_option("mebibytes", mebibytes, "of a stream")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  apps::parse(line, argc, argv);
  effort.stream_bytes = mebibytes << 20;
  return effort;
}

/// Writes of `bytes` in one stream: enough to be clocked.
inline std::size_t writes_of(std::size_t bytes, const Effort& effort) {
  const std::size_t least = effort.stream_bytes >> 19;
  const std::size_t most = effort.stream_bytes >> 11;
  return std::clamp(effort.stream_bytes / bytes, least, most);
}

/// Collective. `stream(bytes, writes)` returns the seconds of one stream. Prints, if `prints`, a
/// JSON object a line for each size: the median of the throughput in MB/s.
template <class Stream>
void measure_throughput(const Effort& effort, bool prints, Stream stream) {
  for (std::size_t bytes = size_least_bytes; bytes <= size_most_bytes; bytes *= 2) {
    const std::size_t writes = writes_of(bytes, effort);
    stream(bytes, writes);  // Opens connections and touches memory.
    std::vector<double> rates;
    for (int repetition = 0; repetition < effort.repetitions; ++repetition) {
      rates.push_back(static_cast<double>(bytes * writes) * 1e-6 / stream(bytes, writes));
    }
    std::sort(rates.begin(), rates.end());
    const auto at = [&](std::size_t quarter) { return rates[(rates.size() - 1) * quarter / 4]; };
    if (!prints) continue;
    const apps::Json row = {{"size_bytes", bytes},
                            {"value", at(2)},
                            {"spread", (at(3) - at(1)) / 2 / at(2)},
                            {"repetitions", effort.repetitions}};
    std::puts(apps::to_line(row).c_str());
    std::fflush(stdout);
  }
}

}  // namespace tasuki::mpcxx
