// kernels_mpi KERNEL SIZE: measures a kernel over MPI and prints one JSON object on rank 0.
#include <vector>

#include "common/mpi_program.hpp"
#include "kernels.hpp"

int main(int argc, char** argv) {
  using tasuki::apps::MpiJob;
  namespace kernels = tasuki::bench::kernels;
  const std::vector<kernels::Kernel<kernels::Measured (*)(std::int64_t)>> table = {
      {"histogram", kernels::histogram}, {"index_gather", kernels::index_gather},
      {"pipeline", kernels::pipeline},   {"stencil", kernels::stencil},
      {"transpose", kernels::transpose},
  };
  const auto parse = [&](int count, char** words) {
    return kernels::request_of(count, words, table);
  };
  return tasuki::apps::run_mpi_program(argc, argv, parse, [](const auto& request) {
    const auto all = MpiJob::gather(request.run(request.size));
    return MpiJob::rank() == 0 ? kernels::print(request.name, all) : 0;
  });
}
