#include "mpi/collectives/progress.hpp"

#include "mpi/messages/own_communicator.hpp"

#include <mpi.h>

namespace tasuki::mpi::collectives {
namespace {

MPI_Request never_complete = MPI_REQUEST_NULL;

}  // namespace

void let_mpi_progress() {
  if (never_complete == MPI_REQUEST_NULL) {
    PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, never_sent_tag, own_communicator(), &never_complete);
  }
  int is_complete = 0;
  PMPI_Test(&never_complete, &is_complete, MPI_STATUS_IGNORE);
}

void end_progress() {
  if (never_complete == MPI_REQUEST_NULL) return;
  PMPI_Cancel(&never_complete);
  PMPI_Wait(&never_complete, MPI_STATUS_IGNORE);
}

}  // namespace tasuki::mpi::collectives
