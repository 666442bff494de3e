#include "mpi/collectives/uneven_blocks.hpp"

#include "mpi/collectives/arguments.hpp"
#include "mpi/collectives/elements.hpp"
#include "mpi/collectives/packing.hpp"

namespace tasuki::mpi::collectives {

UnevenBlocks::UnevenBlocks(const void* buffer, Numbers counts, Numbers displacements,
                           MPI_Datatype datatype, int blocks_count)
    : bytes_(static_cast<std::byte*>(const_cast<void*>(buffer))),
      is_packed_(!element_of(datatype)) {
  // Where there are no data, there may be no datatype and no displacements.
  const MPI_Aint extent = sum_of(counts, blocks_count) == 0 ? 0 : extent_of(datatype);
  for (std::size_t i = 0; i < static_cast<std::size_t>(blocks_count); ++i) {
    const MPI_Count displacement = counts[i] == 0 ? 0 : displacements[i];
    add(static_cast<MPI_Aint>(displacement) * extent, counts[i], datatype);
  }
  if (is_packed_) make_room();
}

UnevenBlocks::UnevenBlocks(const void* buffer, Numbers counts, Numbers displacements,
                           const Datatypes& datatypes, int blocks_count)
    : bytes_(static_cast<std::byte*>(const_cast<void*>(buffer))) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(blocks_count); ++i) {
    if (counts[i] == 0) {
      add(0, 0, MPI_DATATYPE_NULL);
      continue;
    }
    is_packed_ = is_packed_ || !element_of(datatypes[i]);
    add(static_cast<MPI_Aint>(displacements[i]), counts[i], datatypes[i]);
  }
  if (is_packed_) make_room();
}

void UnevenBlocks::add(MPI_Aint at, MPI_Count count, MPI_Datatype datatype) {
  blocks_.push_back({bytes_ + at, count, datatype});
  counts_.push_back(static_cast<std::size_t>(bytes_of(count, datatype)));
  displacements_.push_back(static_cast<std::size_t>(at));
  if (at < 0) is_packed_ = true;  // A shape's displacements have no sign.
}

void UnevenBlocks::make_room() {
  std::size_t packed_bytes = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    displacements_[i] = packed_bytes;
    packed_bytes += counts_[i];
  }
  own_.resize(packed_bytes);
  bytes_ = own_.data();
}

void UnevenBlocks::pack() {
  for (int i = 0; i < static_cast<int>(blocks_.size()); ++i) pack_block(i);
}

void UnevenBlocks::pack_block(int block) {
  const auto i = static_cast<std::size_t>(block);
  if (!is_packed_ || counts_[i] == 0) return;
  pack_elements(blocks_[i].address, blocks_[i].count, blocks_[i].datatype,
                {bytes_ + displacements_[i], counts_[i]});
}

void UnevenBlocks::unpack() {
  for (std::size_t i = 0; is_packed_ && i < blocks_.size(); ++i) {
    if (counts_[i] == 0) continue;
    unpack_elements({bytes_ + displacements_[i], counts_[i]}, blocks_[i].address, blocks_[i].count,
                    blocks_[i].datatype);
  }
}

}  // namespace tasuki::mpi::collectives
