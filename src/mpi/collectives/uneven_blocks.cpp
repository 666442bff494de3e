#include "mpi/collectives/uneven_blocks.hpp"

#include "mpi/collectives/elements.hpp"
#include "mpi/collectives/packing.hpp"

#include <algorithm>
#include <cstdint>

namespace tasuki::mpi::collectives {

UnevenBlocks::UnevenBlocks(const void* buffer, const int* counts, const int* displacements,
                           MPI_Datatype datatype, int blocks_count)
    : datatype_(datatype), bytes_(static_cast<std::byte*>(const_cast<void*>(buffer))) {
  const Element element = element_of(datatype);
  // A shape's displacements have no sign.
  is_packed_ = !element || std::any_of(displacements, displacements + blocks_count,
                                       [](int one) { return one < 0; });
  MPI_Count element_bytes = 0;
  PMPI_Type_size_x(datatype, &element_bytes);
  const MPI_Aint extent = extent_of(datatype);
  std::size_t packed_bytes = 0;
  for (int i = 0; i < blocks_count; ++i) {
    blocks_.push_back({bytes_ + displacements[i] * extent, counts[i]});
    counts_.push_back(static_cast<std::size_t>(counts[i]) *
                      static_cast<std::size_t>(element_bytes));
    displacements_.push_back(is_packed_ ? packed_bytes
                                        : static_cast<std::size_t>(displacements[i] * extent));
    packed_bytes += counts_.back();
  }
  if (!is_packed_) return;
  own_.resize(packed_bytes);
  bytes_ = own_.data();
}

void UnevenBlocks::pack() {
  for (int i = 0; i < static_cast<int>(blocks_.size()); ++i) pack_block(i);
}

void UnevenBlocks::pack_block(int block) {
  const auto i = static_cast<std::size_t>(block);
  if (!is_packed_ || counts_[i] == 0) return;
  pack_elements(blocks_[i].address, blocks_[i].count, datatype_,
                {bytes_ + displacements_[i], counts_[i]});
}

void UnevenBlocks::unpack() {
  for (std::size_t i = 0; is_packed_ && i < blocks_.size(); ++i) {
    if (counts_[i] == 0) continue;
    unpack_elements({bytes_ + displacements_[i], counts_[i]}, blocks_[i].address, blocks_[i].count,
                    datatype_);
  }
}

}  // namespace tasuki::mpi::collectives
