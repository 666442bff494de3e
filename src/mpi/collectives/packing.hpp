// MPI_Pack and MPI_Unpack for any number of bytes: MPI counts what it packs in ints.
//
// Packed and UnevenBlocks use it.
//
// Thread-safety: any thread.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::mpi::collectives {

/// Bytes of `count` elements; 0 for no datatype.
std::int64_t bytes_of(MPI_Count count, MPI_Datatype datatype) noexcept;

/// The distance from one element to the next.
MPI_Aint extent_of(MPI_Datatype datatype) noexcept;

/// Requires: `bytes` has room for the elements, exactly, and is not empty.
void pack_elements(const std::byte* elements, MPI_Count count, MPI_Datatype datatype,
                   std::span<std::byte> bytes);
void unpack_elements(std::span<const std::byte> bytes, std::byte* elements, MPI_Count count,
                     MPI_Datatype datatype);

}  // namespace tasuki::mpi::collectives
