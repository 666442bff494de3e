// The throughput measurement of the MPC++ paper: a stream of writes of one size, then a barrier.
//
// Shared by the program that writes through Tasuki and its twin that calls MPI_Send, which give the
// stream. Thread-safety: one thread per rank.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

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

/// Writes of `bytes` in one stream: enough to be clocked.
inline std::size_t writes_of(std::size_t bytes) {
  constexpr std::size_t total_bytes = std::size_t{16} << 20;
  return std::clamp(total_bytes / bytes, std::size_t{32}, std::size_t{8192});
}

/// Collective. `stream(bytes, writes)` returns the seconds of one stream. Prints, if `prints`, a
/// JSON object a line for each size: the median of the throughput in MB/s.
template <class Stream>
void measure_throughput(int repetitions, bool prints, Stream stream) {
  for (std::size_t bytes = size_least_bytes; bytes <= size_most_bytes; bytes *= 2) {
    const std::size_t writes = writes_of(bytes);
    stream(bytes, writes);  // Opens connections and touches memory.
    std::vector<double> rates;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      rates.push_back(static_cast<double>(bytes * writes) * 1e-6 / stream(bytes, writes));
    }
    std::sort(rates.begin(), rates.end());
    const auto at = [&](std::size_t quarter) { return rates[(rates.size() - 1) * quarter / 4]; };
    if (!prints) continue;
    fmt::print(R"({{"size_bytes": {}, "value": {:.6g}, "spread": {:.3g}, "repetitions": {}}})"
               "\n",
               bytes, at(2), (at(3) - at(1)) / 2 / at(2), repetitions);
    std::fflush(stdout);
  }
}

inline constexpr int default_repetitions = 9;

}  // namespace tasuki::mpcxx
