// Fortran's arguments and handles as this MPI's.
//
// The wrappers use it.
//
// Thread-safety: any thread.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tasuki::mpi::shim {

/// Arguments of Fortran, each passed by its address.
inline int fortran_integer(const void* argument) noexcept {
  return *static_cast<const MPI_Fint*>(argument);
}
inline const int* fortran_integers(const void* argument) noexcept {
  static_assert(std::is_same_v<MPI_Fint, int>);
  return static_cast<const int*>(argument);
}
inline MPI_Comm fortran_communicator(const void* argument) noexcept {
  return PMPI_Comm_f2c(fortran_integer(argument));
}
inline MPI_Datatype fortran_datatype(const void* argument) noexcept {
  return PMPI_Type_f2c(fortran_integer(argument));
}
inline MPI_Win fortran_window(const void* argument) noexcept {
  return PMPI_Win_f2c(fortran_integer(argument));
}
inline MPI_Request fortran_request(const void* argument) noexcept {
  return PMPI_Request_f2c(fortran_integer(argument));
}
/// None for a negative count, which is MPI's to report.
inline std::vector<MPI_Request> fortran_requests(const void* argument, int count) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(std::max(count, 0)));
  std::transform(fortran_integers(argument), fortran_integers(argument) + requests.size(),
                 requests.begin(), [](MPI_Fint request) { return PMPI_Request_f2c(request); });
  return requests;
}

}  // namespace tasuki::mpi::shim
