#include "mpi/messages/byte_count.hpp"

#include <array>

namespace tasuki::mpi {

ByteCount::ByteCount(std::size_t bytes, std::size_t longest_piece) {
  if (bytes <= longest_piece) {
    elements_ = static_cast<int>(bytes);
    return;
  }
  MPI_Datatype piece = MPI_DATATYPE_NULL;
  MPI_Datatype pieces = MPI_DATATYPE_NULL;
  const std::size_t pieces_count = bytes / longest_piece;
  PMPI_Type_contiguous(static_cast<int>(longest_piece), MPI_BYTE, &piece);
  PMPI_Type_contiguous(static_cast<int>(pieces_count), piece, &pieces);
  const std::array<int, 2> counts{1, static_cast<int>(bytes % longest_piece)};
  const std::array<MPI_Aint, 2> begins{0, static_cast<MPI_Aint>(pieces_count * longest_piece)};
  const std::array<MPI_Datatype, 2> datatypes{pieces, MPI_BYTE};
  PMPI_Type_create_struct(2, counts.data(), begins.data(), datatypes.data(), &datatype_);
  PMPI_Type_commit(&datatype_);
  PMPI_Type_free(&pieces);
  PMPI_Type_free(&piece);
}

}  // namespace tasuki::mpi
