// Ranks on one core, in a job whose launcher has been told of a slot for each: Open MPI does not
// yield unless its setting says so (argument "library"), so whoever waits for the other has to
// ("fiber"). Exit code 0: the transport knows who does.
#include <mpi.h>
#include <sched.h>

#include <cstdio>
#include <memory>
#include <string_view>
#include <tasuki/detail/transport/registry.hpp>

namespace {

/// Leaves this process the first of the cores that it may use.
void keep_one_core() {
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  int first = 0;
  while (!CPU_ISSET(first, &cores)) ++first;
  CPU_ZERO(&cores);
  CPU_SET(first, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

}  // namespace

int main(int argc, char** argv) {
  keep_one_core();
  MPI_Init(&argc, &argv);
  const std::unique_ptr<tasuki::transport::Transport> transport =
      tasuki::transport::open_mpi_transport(nullptr);
  transport->start();
  const bool shares_cores = transport->capabilities().shares_cores;
  const bool library_yields = argc > 1 && std::string_view(argv[1]) == "library";
  const bool is_known = transport->mpi_operations()->yields() == library_yields;
  if (!shares_cores) std::fputs("the ranks do not seem to share a core\n", stderr);
  if (!is_known) std::fputs("it is not known who yields\n", stderr);
  transport->stop();
  MPI_Finalize();
  return shares_cores && is_known ? 0 : 1;
}
