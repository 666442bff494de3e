// The data of a collective as bytes one after the other, whatever the datatype of a rank.
//
// Ranks may describe the same data by different datatypes. All algorithms work on the bytes, so a
// rank whose datatype is not one of plain numbers packs what it sends and unpacks what it receives.
// Numbers stay where they are.
//
// Thread-safety: none.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tasuki::mpi::collectives {

class Packed {
 public:
  /// Nothing.
  Packed() = default;
  /// `blocks_count` blocks of `count` elements each, one after the other. Where data are only
  /// sent, they are not written to.
  Packed(const void* buffer, MPI_Count count, MPI_Datatype datatype, int blocks_count = 1);
  /// The same in memory of its own, whatever the datatype.
  static Packed copy_of(const void* buffer, MPI_Count count, MPI_Datatype datatype,
                        int blocks_count);

  std::byte* bytes() noexcept { return bytes_; }
  std::size_t block_bytes() const noexcept { return block_bytes_; }
  std::size_t size() const noexcept { return block_bytes_ * static_cast<std::size_t>(blocks_); }

  /// Program's buffer to bytes: all blocks, or one.
  void pack();
  void pack_block(int block);
  /// Bytes to the program's buffer.
  void unpack();

 private:
  /// Memory of its own for all blocks.
  void make_room();
  std::byte* block_in_program(int block) const noexcept;

  std::byte* program_ = nullptr;  ///< The program's buffer.
  MPI_Count count_ = 0;
  MPI_Datatype datatype_ = MPI_DATATYPE_NULL;
  MPI_Aint extent_ = 0;
  int blocks_ = 0;
  std::size_t block_bytes_ = 0;
  std::vector<std::byte> own_;
  std::byte* bytes_ = nullptr;
};

}  // namespace tasuki::mpi::collectives
