// A search over Tasuki whose last rank may take only so many MiB more once it has started:
// little_memory MIB, then the options of sssp_tasuki.

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "sssp/node.hpp"
#include "sssp/tasuki_exchange.hpp"

namespace tasuki::sssp {
namespace {

rlim_t more_bytes = 0;

void limit_memory() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * static_cast<rlim_t>(::sysconf(_SC_PAGE_SIZE)) + more_bytes;
  const rlimit limit = {bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
}

int run(const Options& options) {
  TasukiExchange exchange(options.split);
  if (rank() == size() - 1) limit_memory();
  const Problem problem(options, exchange);
  search(options, problem, exchange);
  return 0;
}

}  // namespace
}  // namespace tasuki::sssp

int main(int argc, char** argv) {
  using namespace tasuki::sssp;
  more_bytes = std::strtoull(argv[1], nullptr, 10) << 20;
  argv[1] = argv[0];
  return tasuki::apps::run_on_every_rank(
      argc - 1, argv + 1, parse_options,
      [](const Options& options) { return reporting_graph_errors(tasuki::rank(), run, options); });
}
