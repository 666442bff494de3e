#include <tasuki/tasuki.hpp>

#include "suites.hpp"
#include "timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int repetitions = 500;

double barrier_ns() {
  return mean_ns(repetitions, [] { barrier(); });
}

double allreduce_ns() {
  double value = 1;
  return mean_ns(repetitions, [&] { value = allreduce(value, Max{}); });
}

}  // namespace

std::vector<Benchmark> collective_benchmarks() {
  const auto& mpi = mpi_baselines();
  Benchmark barriers{"barrier", "ns", barrier_ns, "", nullptr};
  Benchmark allreduces{"allreduce_8B", "ns", allreduce_ns, "", nullptr};
  if (mpi.library != nullptr) {
    barriers.baseline_name = "MPI_Barrier";
    barriers.baseline = mpi.barrier_ns;
    allreduces.baseline_name = "MPI_Allreduce";
    allreduces.baseline = mpi.allreduce_ns;
  }
  return {barriers, allreduces};
}

}  // namespace tasuki::bench
