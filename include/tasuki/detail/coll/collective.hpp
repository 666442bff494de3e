// The collectives: their names, and what the buffers of each hold.
//
// `count` elements make one rank's block; p is the number of ranks. Layouts follow MPI-4.0,
// chapter 6. Where a rank has no output (a rank that is not the root of reduce, gather, gatherv;
// rank 0 of exscan) its output is not touched.
//
//   collective            input                          output
//   barrier               -                              -
//   broadcast             -                              count (root: the data, before the call)
//   reduce                count                          count (root)
//   allreduce             count                          count
//   gather                count                          p * count (root)
//   gatherv               count (of this rank)           by receive_counts (root)
//   scatter               p * count (root)               count
//   scatterv              by send_counts (root)          count (of this rank)
//   allgather             count                          p * count
//   allgatherv            receive_counts[rank]           by receive_counts
//   alltoall              p * count                      p * count
//   alltoallv             by send_counts                 by receive_counts
//   reduce_scatter_block  p * count                      count
//   reduce_scatter        sum of receive_counts, packed  receive_counts[rank]
//   scan, exscan          count                          count
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <tasuki/detail/base/collective.hpp>

namespace tasuki::coll {

using base::Collective;
using base::collectives_count;

/// All of them, in the order above.
std::span<const Collective> all_collectives() noexcept;

/// The name as in the table above.
const char* name_of(Collective collective) noexcept;

/// Throws tasuki::error naming all collectives if there is none of this name.
Collective collective_named(std::string_view name);

/// Does it apply a reduction operation?
bool reduces(Collective collective) noexcept;

/// Has it a root?
bool has_root(Collective collective) noexcept;

/// Is it a v-form, whose blocks may differ from rank to rank?
bool varies(Collective collective) noexcept;

/// Do all ranks know the sizes of all blocks? In the v-forms but allgatherv and reduce_scatter only
/// the rank that gives and the rank that takes a block do.
bool has_common_count(Collective collective) noexcept;

/// What a buffer of one rank holds: nothing, one rank's block, or the blocks of all ranks.
enum class Holds : std::uint8_t { nothing, block, all };

/// The last two columns of the table above, for one rank.
struct BufferContents {
  Holds input;
  Holds output;
};
BufferContents contents_of(Collective collective, bool is_root) noexcept;

/// May the output buffer be the input?
bool may_be_in_place(Collective collective) noexcept;

/// Is no rank through with it, of at least one element, before all ranks have begun it? So it is
/// where each rank's result needs data of all.
bool needs_all(Collective collective) noexcept;

}  // namespace tasuki::coll
