// Whether the MPI library would take the arguments of a collective, as far as one rank can tell.
//
// The tuned collectives ask before they count a call: a wrong one goes to the library, which
// reports it as the program wants it. Where MPI libraries differ, the arguments are taken: a rank
// that calls a library which reports nothing would wait in it for the others.
//
// Thread-safety: as own_communicator().
#pragma once

#include "mpi/collectives/datatypes.hpp"
#include "mpi/collectives/numbers.hpp"

#include <mpi.h>

namespace tasuki::mpi::collectives {

/// This process in a communicator.
struct RankAndSize {
  int rank = 0;
  int size = 1;
};

constexpr bool is_rank(int root, int size) noexcept { return root >= 0 && root < size; }

/// Data of one rank, or a block for each of them. Of no data nothing is asked, here and below: some
/// libraries take null handles and null pointers there, and some do not.
bool is_data(const void* buffer, MPI_Count count, MPI_Datatype datatype) noexcept;
/// The same of data that may be in place.
inline bool is_in_place_or_data(const void* buffer, MPI_Count count,
                                MPI_Datatype datatype) noexcept {
  return buffer == MPI_IN_PLACE || is_data(buffer, count, datatype);
}

/// Counts of blocks, one for each rank.
bool are_counts(const Numbers& counts, int ranks) noexcept;
MPI_Count sum_of(const Numbers& counts, int ranks) noexcept;

/// Blocks of a v-form.
bool are_blocks(const void* buffer, const Numbers& counts, const Numbers& displacements,
                MPI_Datatype datatype, int ranks) noexcept;
/// Those of MPI_Alltoallw.
bool are_blocks(const void* buffer, const Numbers& counts, const Numbers& displacements,
                const Datatypes& datatypes, int ranks) noexcept;

/// The operands of a reduction. `has_result`: the rank has a result, or its input in place of it.
bool are_operands(const void* sendbuf, const void* recvbuf, bool has_result, MPI_Count count,
                  MPI_Datatype datatype, MPI_Op op) noexcept;

}  // namespace tasuki::mpi::collectives
