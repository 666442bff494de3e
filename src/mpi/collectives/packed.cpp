#include "mpi/collectives/packed.hpp"

#include "mpi/collectives/elements.hpp"
#include "mpi/collectives/packing.hpp"

namespace tasuki::mpi::collectives {

Packed::Packed(const void* buffer, MPI_Count count, MPI_Datatype datatype, int blocks_count)
    : program_(static_cast<std::byte*>(const_cast<void*>(buffer))),
      count_(count),
      datatype_(datatype),
      blocks_(blocks_count) {
  if (count == 0) return;  // The datatype may be none.
  if (const Element element = element_of(datatype)) {
    block_bytes_ = static_cast<std::size_t>(count) * element.bytes;
    bytes_ = program_;
    return;
  }
  extent_ = extent_of(datatype);
  block_bytes_ = static_cast<std::size_t>(bytes_of(count, datatype));
  make_room();
}

Packed Packed::copy_of(const void* buffer, MPI_Count count, MPI_Datatype datatype,
                       int blocks_count) {
  Packed copy(buffer, count, datatype, blocks_count);
  if (copy.own_.empty()) {
    copy.own_.assign(copy.bytes_, copy.bytes_ + copy.size());
    copy.bytes_ = copy.own_.data();
    copy.datatype_ = MPI_DATATYPE_NULL;
  }
  return copy;
}

void Packed::make_room() {
  own_.resize(size());
  bytes_ = own_.data();
}

std::byte* Packed::block_in_program(int block) const noexcept {
  return program_ + static_cast<std::ptrdiff_t>(block) * count_ * extent_;
}

void Packed::pack() {
  for (int block = 0; block < blocks_; ++block) pack_block(block);
}

void Packed::pack_block(int block) {
  if (own_.empty() || datatype_ == MPI_DATATYPE_NULL) return;
  pack_elements(block_in_program(block), count_, datatype_,
                {bytes_ + static_cast<std::size_t>(block) * block_bytes_, block_bytes_});
}

void Packed::unpack() {
  if (own_.empty() || datatype_ == MPI_DATATYPE_NULL) return;
  for (int block = 0; block < blocks_; ++block) {
    unpack_elements({bytes_ + static_cast<std::size_t>(block) * block_bytes_, block_bytes_},
                    block_in_program(block), count_, datatype_);
  }
}

}  // namespace tasuki::mpi::collectives
