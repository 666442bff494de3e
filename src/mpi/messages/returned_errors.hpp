// Errors of what the library itself calls on a communicator of the program.
//
// They are none of the program's, and must not reach its error handler.
//
// Thread-safety: as MPI_Comm_set_errhandler.
#pragma once

#include <mpi.h>

namespace tasuki::mpi {

/// While it lives, MPI returns the errors of a communicator.
class ReturnedErrors {
 public:
  explicit ReturnedErrors(MPI_Comm communicator) : communicator_(communicator) {
    PMPI_Comm_get_errhandler(communicator, &handler_of_program_);
    PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  }
  ~ReturnedErrors() {
    PMPI_Comm_set_errhandler(communicator_, handler_of_program_);
    PMPI_Errhandler_free(&handler_of_program_);
  }
  ReturnedErrors(const ReturnedErrors&) = delete;
  ReturnedErrors& operator=(const ReturnedErrors&) = delete;

 private:
  MPI_Comm communicator_;
  MPI_Errhandler handler_of_program_ = MPI_ERRHANDLER_NULL;
};

}  // namespace tasuki::mpi
