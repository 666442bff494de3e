// The datatypes that a program gives for each rank, in C or in Fortran.
//
// MPI_Alltoallw takes them; the recorder counts their bytes.
//
// Thread-safety: reads only.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace tasuki::mpi::collectives {

class Datatypes {
 public:
  /// Not explicit, as programs of C have arrays.
  Datatypes(const MPI_Datatype* all) noexcept : all_(all) {}  // NOLINT(google-explicit-constructor)
  /// Nothing is read before it is asked for: where data are in place, nothing need be there.
  static Datatypes of_fortran(const void* handles) noexcept {
    Datatypes datatypes(nullptr);
    datatypes.handles_ = static_cast<const MPI_Fint*>(handles);
    return datatypes;
  }

  /// Has the program given any?
  explicit operator bool() const noexcept { return all_ != nullptr || handles_ != nullptr; }

  MPI_Datatype operator[](std::size_t index) const noexcept {
    return handles_ != nullptr ? PMPI_Type_f2c(handles_[index]) : all_[index];
  }

 private:
  const MPI_Datatype* all_;
  const MPI_Fint* handles_ = nullptr;
};

}  // namespace tasuki::mpi::collectives
