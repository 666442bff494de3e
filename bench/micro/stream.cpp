#include <algorithm>
#include <memory>
#include <string>
#include <tasuki/tasuki.hpp>

#include "suites.hpp"
#include "timing.hpp"

namespace tasuki::bench {
namespace {

constexpr std::size_t largest_bytes = std::size_t{16} << 20;
constexpr std::size_t bytes_per_sample = std::size_t{8} << 20;
constexpr int most_writes_per_sample = 5000;
constexpr int samples_count = 12;

struct Target {
  /// Each size, a power of two, has a place of its own, so many bytes from here: a place that is
  /// written in several sizes gets no pre-posted receive (docs/design/bulk-over-mpi.md).
  GlobalPtr<std::byte> there;
  std::unique_ptr<std::byte[]> memory;
  std::byte* here = nullptr;  ///< Its first page.
};

Target& target() {
  static Target made = [] {
    Target fresh;
    fresh.memory = std::make_unique<std::byte[]>(largest_bytes + page_bytes);
    fresh.here = page_aligned(fresh.memory.get());
    const GlobalPtr<std::byte> shared = new_array<std::byte>(2 * largest_bytes + page_bytes);
    const auto all = allgather(shared + (page_aligned(shared.raw()) - shared.raw()));
    fresh.there = all[static_cast<std::size_t>(rank() ^ 1) % all.size()];
    return fresh;
  }();
  return made;
}

/// As the transport is called, which is not shared memory here.
std::string stream_name(std::size_t bytes) {
  return std::string(runtime::Rank::current().transport.name()) + "_write_" + size_name(bytes);
}

/// A row of remote writes from rank 0 to rank 1, then a barrier, as in the paper's figure 7. MB/s.
double write_rate(std::size_t bytes) {
  const int writes = stream_length(bytes);
  const GlobalPtr<std::byte> place = target().there + static_cast<std::ptrdiff_t>(bytes);
  barrier();
  const double ns = mean_ns(1, [&] {
    if (rank() == 0) {
      for (int i = 0; i < writes; ++i) place.nwrite(target().here, bytes);
    }
    barrier();
  });
  return static_cast<double>(bytes) * writes / ns * 1000;
}

}  // namespace

std::byte* page_aligned(std::byte* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return memory + (page_bytes - address % page_bytes) % page_bytes;
}

int stream_length(std::size_t bytes) {
  return static_cast<int>(
      std::clamp<std::size_t>(bytes_per_sample / bytes, 8, most_writes_per_sample));
}

std::vector<Benchmark> stream_benchmarks() {
  const auto& mpi = mpi_baselines();
  std::vector<Benchmark> all;
  if (size() < 2) return all;
  target();  // collective, so made here and not when first used
  for (std::size_t bytes = 8; bytes <= largest_bytes; bytes *= 2) {
    Benchmark stream{stream_name(bytes), "MB/s", [bytes] { return write_rate(bytes); }, "", nullptr,
                     samples_count,      bytes};
    if (mpi.library != nullptr) {
      stream.baseline_name = std::string("MPI_Send, ") + mpi.library;
      stream.baseline = [&mpi, bytes] { return mpi.stream_rate(bytes) / 1e6; };
    }
    all.push_back(std::move(stream));
  }
  return all;
}

}  // namespace tasuki::bench
