#include "mpi/messages/job_end.hpp"

#include "base/read_output.hpp"

#include <mpi.h>
#include <unistd.h>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/error.hpp>

#include <exception>

namespace tasuki::mpi {

void end_job(const std::string& text) {
  base::report(text);
  base::await_reader(STDERR_FILENO);
  PMPI_Abort(MPI_COMM_WORLD, base::exit_code::failed);
  std::terminate();
}

}  // namespace tasuki::mpi
