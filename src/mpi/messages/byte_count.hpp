// Bytes as MPI counts them: a number of elements that is an int, and their datatype.
//
// More bytes than the largest int are one element of a datatype of large pieces and a rest, as in
// Hammond, Schaefer and Latham, "To INT_MAX... and beyond!" (2014). Who sends or packs makes one.
//
// Thread-safety: any thread.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <limits>

namespace tasuki::mpi {

class ByteCount {
 public:
  static constexpr std::size_t largest = std::numeric_limits<int>::max();

  /// `longest_piece`: at most `largest`. Tests have shorter ones.
  explicit ByteCount(std::size_t bytes, std::size_t longest_piece = largest);
  /// MPI keeps the datatype for as long as a message needs it.
  ~ByteCount() {
    if (datatype_ != MPI_BYTE) PMPI_Type_free(&datatype_);
  }
  ByteCount(const ByteCount&) = delete;
  ByteCount& operator=(const ByteCount&) = delete;

  int elements() const noexcept { return elements_; }
  MPI_Datatype datatype() const noexcept { return datatype_; }

 private:
  int elements_ = 1;
  MPI_Datatype datatype_ = MPI_BYTE;
};

}  // namespace tasuki::mpi
