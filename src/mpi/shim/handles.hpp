// Handles of this MPI as the opaque words of the recorder, and Fortran's as this MPI's.
//
// The wrappers use it.
//
// Thread-safety: any thread.
#pragma once

#include "mpi/record/communicators.hpp"

#include <mpi.h>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace tasuki::mpi::shim {

/// A handle is a pointer in one MPI and a number in another.
template <typename Handle>
record::Word word_of(Handle handle) noexcept {
  if constexpr (std::is_pointer_v<Handle>) {
    return std::bit_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<record::Word>(handle);
  }
}

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
inline MPI_Request fortran_request(const void* argument) noexcept {
  return PMPI_Request_f2c(fortran_integer(argument));
}

}  // namespace tasuki::mpi::shim
