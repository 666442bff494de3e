#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <tasuki/tasuki.hpp>

#include "suites.hpp"
#include "timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int repetitions = 500;
constexpr int tag = 7;
constexpr std::size_t largest_bytes = std::size_t{16} << 20;

std::byte* buffer() {
  static const auto memory = std::make_unique<std::byte[]>(largest_bytes + page_bytes);
  static std::byte* const aligned = page_aligned(memory.get());
  return aligned;
}

/// A window of 8 bytes on every rank, open for passive access from its first use on.
MPI_Win opened_window = MPI_WIN_NULL;

MPI_Win window() {
  if (opened_window == MPI_WIN_NULL) {
    void* base = nullptr;
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&base),
                     &opened_window);
    MPI_Win_lock_all(0, opened_window);
  }
  return opened_window;
}

/// MPICH 4.0 over UCX aborts in MPI_Finalize if a window is still there.
void close_window() {
  if (opened_window == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(opened_window);
  MPI_Win_free(&opened_window);
}

double ping_pong_ns(std::size_t bytes) {
  const int count = static_cast<int>(bytes);
  return mean_ns(repetitions,
                 [&] {
                   if (rank() == 0) {
                     MPI_Send(buffer(), count, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
                     MPI_Recv(buffer(), count, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                   } else if (rank() == 1) {
                     MPI_Recv(buffer(), count, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                     MPI_Send(buffer(), count, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
                   }
                 }) /
         2;
}

/// One-sided operations of rank 0 on rank 1's window.
template <class Op>
double one_sided_ns(Op op) {
  MPI_Win opened = window();
  double ns = 0;
  if (rank() == 0) {
    ns = mean_ns(repetitions, [&] {
      op(opened);
      MPI_Win_flush(1, opened);
    });
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return ns;
}

double put_ns() {
  static std::int64_t value = 1;
  return one_sided_ns([](MPI_Win w) { MPI_Put(&value, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, w); });
}

double get_ns() {
  static std::int64_t value = 1;
  return one_sided_ns([](MPI_Win w) { MPI_Get(&value, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, w); });
}

double fetch_add_ns() {
  static std::int64_t value = 1, before = 0;
  return one_sided_ns(
      [](MPI_Win w) { MPI_Fetch_and_op(&value, &before, MPI_INT64_T, 1, 0, MPI_SUM, w); });
}

double barrier_ns() {
  return mean_ns(repetitions, [] { MPI_Barrier(MPI_COMM_WORLD); });
}

double allreduce_ns() {
  double value = 1, result = 0;
  return mean_ns(repetitions,
                 [&] { MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); });
}

double stream_rate(std::size_t bytes) {
  const int messages = stream_length(bytes);
  const int count = static_cast<int>(bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const double ns = mean_ns(1, [&] {
    for (int i = 0; i < messages && rank() < 2; ++i) {
      if (rank() == 0) {
        MPI_Send(buffer(), count, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
      } else {
        MPI_Recv(buffer(), count, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  });
  return static_cast<double>(bytes) * messages / ns * 1e9;
}

/// Under the shm transport nobody has started MPI; it then ends with the program.
void start_mpi() {
  int started = 0;
  MPI_Initialized(&started);
  if (started != 0) return;
  MPI_Init(nullptr, nullptr);
  std::atexit([] { MPI_Finalize(); });
}

}  // namespace

const MpiBaselines& mpi_baselines() {
  static const MpiBaselines baselines = [] {
    start_mpi();
    return MpiBaselines{TASUKI_BENCH_MPI, ping_pong_ns, put_ns,      get_ns,      fetch_add_ns,
                        barrier_ns,       allreduce_ns, stream_rate, close_window};
  }();
  return baselines;
}

}  // namespace tasuki::bench
