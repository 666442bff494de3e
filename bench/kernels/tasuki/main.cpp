// kernels_tasuki KERNEL SIZE: measures a kernel over Tasuki and prints one JSON object on rank 0.
#include <span>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "kernels.hpp"

int main(int argc, char** argv) {
  namespace kernels = tasuki::bench::kernels;
  const std::vector<kernels::Kernel<kernels::Measured (*)(std::int64_t)>> table = {
      {"histogram_by_post", kernels::histogram_by_post},
      {"stencil", kernels::stencil},
  };
  return tasuki::run(argc, argv, [&] {
    const auto request = kernels::request_of(argc, argv, table);
    const auto all = tasuki::allgather(request.run(request.size));
    return tasuki::rank() == 0 ? kernels::print(request.name, all) : 0;
  });
}
