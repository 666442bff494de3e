// kernels_ygm KERNEL SIZE: measures a kernel over YGM and prints one JSON object on rank 0.
//
// `tasuki bench kernels --ygm` compiles it. The kernels are headers, because YGM's own headers can
// be included by one file of a program only.
#include <vector>
#include <ygm/comm.hpp>

#include "common/mpi_program.hpp"
#include "histogram_by_async.hpp"
#include "index_gather_by_async.hpp"
#include "map_insert_by_async.hpp"

int main(int argc, char** argv) {
  using tasuki::apps::MpiJob;
  namespace kernels = tasuki::bench::kernels;
  const std::vector<kernels::Kernel<kernels::Measured (*)(ygm::comm&, std::int64_t)>> table = {
      {"histogram", kernels::histogram_by_async},
      {"index_gather", kernels::index_gather_by_async},
      {"map_insert", kernels::map_insert_by_async},
  };
  const auto request = kernels::request_of(argc, argv, table);
  ygm::comm world(&argc, &argv);
  const auto all = MpiJob::gather(request.run(world, request.size));
  return MpiJob::rank() == 0 ? kernels::print(request.name, all) : 0;
}
