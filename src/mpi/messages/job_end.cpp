#include "mpi/messages/job_end.hpp"

#include "base/read_output.hpp"

#include <mpi.h>
#include <unistd.h>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/error.hpp>

#include <cstdlib>

namespace tasuki::mpi {

void end_job(const std::string& text) {
  base::report(text);
  base::await_reader(STDERR_FILENO);
  PMPI_Abort(MPI_COMM_WORLD, base::exit_code::failed);
  // MPICH 4.2 may come back. Whoever ends a job while an exception is handled would have that
  // exception printed by std::terminate, too.
  std::_Exit(base::exit_code::failed);
}

}  // namespace tasuki::mpi
