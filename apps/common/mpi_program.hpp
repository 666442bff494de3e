// What the MPI baselines have in common around their kernels: start, end and the gathering of
// results.
//
// Thread-safety: main thread only.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <type_traits>
#include <vector>

#include "common/usage_error.hpp"

namespace tasuki::apps {

/// The ranks of an MPI baseline: a Job (common/job.hpp).
struct MpiJob {
  static constexpr const char* implementation = "mpi";

  static const char* transport() {
#if defined(OPEN_MPI)
    return "Open MPI";
#elif defined(MPICH_VERSION)
    return "MPICH";
#else
    return "SMPI";
#endif
  }
  static int rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
  }
  static int size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
  }
  static double now_s() { return MPI_Wtime(); }
  static void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  static std::vector<T> gather(const T& value) {
    std::vector<T> values(rank() == 0 ? static_cast<std::size_t>(size()) : 0);
    MPI_Gather(&value, sizeof(T), MPI_BYTE, values.data(), sizeof(T), MPI_BYTE, 0, MPI_COMM_WORLD);
    return values;
  }
};

/// Runs `program(parse(argc, argv))`, which returns the exit code on rank 0, inside MPI_Init and
/// MPI_Finalize. Returns: the exit code; 2 if the command line is wrong. Any other exception of
/// a rank ends the job.
template <class Parse, class Program>
int run_mpi_program(int argc, char** argv, Parse parse, Program program) {
  MPI_Init(&argc, &argv);
  int exit_code = 0;
  try {
    exit_code = program(parse(argc, argv));
  } catch (const usage_error& failure) {
    if (MpiJob::rank() == 0) failure.print();
    exit_code = failure.exit_code();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "rank %d: %s\n", MpiJob::rank(), failure.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // The others may wait for this one.
  }
  MPI_Finalize();
  return exit_code;
}

}  // namespace tasuki::apps
