// Sums over all ranks by MPI, and the stopwatch of a rank's communication.
//
// The whole communication of EP over MPI, and the part that all kernels share. Thread-safety: one
// per rank; its sums are collective.
#pragma once

#include <span>

#include "common/measurement.hpp"
#include "common/mpi_program.hpp"

namespace tasuki::npb {

class MpiSums {
 public:
  explicit MpiSums(bool split) noexcept : stopwatch_(MPI_Wtime, split) {}

  apps::Stopwatch& stopwatch() noexcept { return stopwatch_; }

  /// In place.
  void sum(std::span<double> values) {
    const apps::Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, values.size_bytes());
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
  }

 private:
  apps::Stopwatch stopwatch_;
};

}  // namespace tasuki::npb
