// The blocks of a v-form (MPI_Gatherv and its relatives) as bytes, whatever the datatype of a rank.
//
// As Packed does for blocks of one size: numbers stay where they are, others are packed.
//
// Thread-safety: none.
#pragma once

#include "mpi/collectives/datatypes.hpp"
#include "mpi/collectives/numbers.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tasuki::mpi::collectives {

class UnevenBlocks {
 public:
  /// Nothing: on ranks that have no part in a side of the collective.
  UnevenBlocks() = default;
  /// `blocks_count` blocks, of counts[i] elements that begin displacements[i] elements after
  /// `buffer`. Where data are only sent, they are not written to.
  UnevenBlocks(const void* buffer, Numbers counts, Numbers displacements, MPI_Datatype datatype,
               int blocks_count);
  /// Each block of a datatype of its own, as in MPI_Alltoallw: it begins displacements[i] bytes
  /// after `buffer`.
  UnevenBlocks(const void* buffer, Numbers counts, Numbers displacements,
               const Datatypes& datatypes, int blocks_count);

  std::byte* bytes() noexcept { return bytes_; }
  /// In bytes, for a coll::Shape whose elements are bytes.
  const std::vector<std::size_t>& counts() const noexcept { return counts_; }
  const std::vector<std::size_t>& displacements() const noexcept { return displacements_; }

  /// Program's buffer to bytes: all blocks, or one.
  void pack();
  void pack_block(int block);
  /// Bytes to the program's buffer.
  void unpack();

 private:
  struct InProgram {
    std::byte* address;
    MPI_Count count;
    MPI_Datatype datatype;
  };

  void add(MPI_Aint at, MPI_Count count, MPI_Datatype datatype);
  /// Memory of its own for the blocks, one after the other.
  void make_room();

  std::vector<InProgram> blocks_;
  std::vector<std::size_t> counts_;
  std::vector<std::size_t> displacements_;
  std::vector<std::byte> own_;
  std::byte* bytes_ = nullptr;
  bool is_packed_ = false;
};

}  // namespace tasuki::mpi::collectives
