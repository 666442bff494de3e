// The benchmarks of `tasuki bench micro`, by subject. Each returns its benchmarks, made on all
// ranks in the same order (some allocate shared memory). docs/formats/bench.md explains every name.
//
// Thread-safety: none; the rank's own thread. Collective.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sampler.hpp"

namespace tasuki::bench {

std::vector<Benchmark> call_benchmarks();
std::vector<Benchmark> collective_benchmarks();
std::vector<Benchmark> memory_benchmarks();
/// Puts of a word and of a block that the receiver sees arrive, beside messages.
std::vector<Benchmark> put_benchmarks();
/// Remote writes as a stream, without memory that ranks share, over MPI beside MPI_Send.
std::vector<Benchmark> stream_benchmarks();

/// What MPI offers for comparison, where this program was built with one.
struct MpiBaselines {
  const char* library = nullptr;                        ///< nullptr: built without MPI.
  double (*ping_pong_ns)(std::size_t bytes) = nullptr;  ///< MPI_Send/MPI_Recv, one way.
  double (*put_ns)() = nullptr;                         ///< MPI_Put of 8 bytes and a flush.
  double (*get_ns)() = nullptr;
  double (*fetch_add_ns)() = nullptr;
  double (*barrier_ns)() = nullptr;
  double (*allreduce_ns)() = nullptr;  ///< 8 bytes.
  /// Bytes per second of a stream of MPI_Send.
  double (*stream_rate)(std::size_t bytes) = nullptr;
  /// Gives back what the others have opened; nothing of MPI may be left when it ends. Collective.
  void (*close)() = nullptr;
};
const MpiBaselines& mpi_baselines();

/// As in 8B, 4KB, 1MB.
std::string size_name(std::size_t bytes);

/// Where the first page in `memory` begins: the streams of Tasuki and of MPI use whole pages, for
/// the kernel's copy between two processes slows down by a tenth where offsets in a page differ.
std::byte* page_aligned(std::byte* memory);
inline constexpr std::size_t page_bytes = 4096;

/// Messages in one sample of a stream; the same for Tasuki and for MPI.
int stream_length(std::size_t bytes);

}  // namespace tasuki::bench
