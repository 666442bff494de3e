#include "mpi/messages/own_communicator.hpp"

namespace tasuki::mpi {
namespace {

MPI_Comm of_process = MPI_COMM_NULL;

}  // namespace

MPI_Comm own_communicator() noexcept {
  if (of_process == MPI_COMM_NULL) {
    // A duplicate would call the program's functions that copy attributes.
    PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &of_process);
    PMPI_Comm_set_errhandler(of_process, MPI_ERRORS_RETURN);
  }
  return of_process;
}

void free_own_communicator() noexcept {
  if (of_process != MPI_COMM_NULL) PMPI_Comm_free(&of_process);
}

}  // namespace tasuki::mpi
