// scale_mpi: the same of MPI. Prints one JSON object on rank 0.
#include <vector>

#include "common/mpi_program.hpp"
#include "scale.hpp"

int main(int argc, char** argv) {
  using namespace tasuki;
  namespace scale = bench::scale;
  return apps::run_mpi_program(argc, argv, scale::parse, [](const scale::Options& options) {
    const scale::Found found = scale::measure(options, [] { MPI_Barrier(MPI_COMM_WORLD); });
    const std::vector<scale::Found> all = apps::MpiJob::gather(found);
    if (apps::MpiJob::rank() == 0) scale::print(options, all);
    return 0;
  });
}
