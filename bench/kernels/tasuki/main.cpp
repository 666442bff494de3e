// kernels_tasuki KERNEL SIZE: measures a kernel over Tasuki and prints one JSON object on rank 0.
#include <span>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "kernels.hpp"

int main(int argc, char** argv) {
  namespace kernels = tasuki::bench::kernels;
  const std::vector<kernels::Kernel<kernels::Measured (*)(std::int64_t)>> table = {
      {"histogram_by_atomics", kernels::histogram_by_atomics},
      {"histogram_by_post", kernels::histogram_by_post},
      {"index_gather_by_reads", kernels::index_gather_by_reads},
      {"index_gather_by_then", kernels::index_gather_by_then},
      {"map_insert", kernels::map_insert},
      {"permutation", kernels::permutation},
      {"pipeline", kernels::pipeline},
      {"shortest_paths", kernels::shortest_paths},
      {"stencil", kernels::stencil},
      {"topological_sort", kernels::topological_sort},
      {"transpose", kernels::transpose},
      {"tree_search", kernels::tree_search},
      {"triangles", kernels::triangles},
  };
  return tasuki::run(argc, argv, [&] {
    const auto request = kernels::request_of(argc, argv, table);
    const auto all = tasuki::allgather(request.run(request.size));
    return tasuki::rank() == 0 ? kernels::print(request.name, all) : 0;
  });
}
