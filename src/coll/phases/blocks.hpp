// Where the blocks of all ranks lie in a buffer.
//
// Thread-safety: values.
#pragma once

#include <vector>

#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

class Blocks {
 public:
  /// One block of `count` elements per rank, one after the other.
  static Blocks equal(Buffer buffer, std::size_t count, std::size_t base = 0);
  /// `count` elements cut into one nearly equal block per rank.
  static Blocks cut(Buffer buffer, std::size_t count, int ranks);
  /// Blocks of `counts` at `displacements` (empty: one after the other).
  static Blocks varying(Buffer buffer, const std::vector<std::size_t>& counts,
                        const std::vector<std::size_t>& displacements = {});

  /// Blocks of the same sizes of so many ranks, one after the other from where `room` begins.
  Blocks moved_to(const Slice& room, int ranks) const;

  Slice of(int rank) const;
  std::size_t count(int rank) const { return of(rank).count; }
  /// The blocks of ranks [first, last) as one slice. Requires: they lie one after the other.
  Slice range(int first, int last) const;
  /// The blocks of `number` ranks from `first` on, wrapping around after the last of `ranks`, in
  /// as few slices as possible.
  std::vector<Slice> around(int first, int number, int ranks) const;

 private:
  Buffer buffer_ = Buffer::output;
  std::size_t base_ = 0;
  std::size_t equal_count_ = 0;
  std::size_t longer_ = 0;                     ///< So many blocks have one element more.
  std::vector<std::size_t> counts_, offsets_;  ///< Empty if the blocks follow from the above.
};

/// The blocks that a rank receives in its output, and that it sends from its input: of `count`
/// elements each, or of the shape's counts if it has any. Require: the rank receives, or sends, so.
Blocks received_blocks(const Shape& shape);
Blocks sent_blocks(const Shape& shape);
/// reduce_scatter: the blocks of a rank's input, one after the other, and its block of the result.
Blocks operand_blocks(const Shape& shape);
Slice result_of(const Shape& shape);

/// Elements in all the slices.
std::size_t total_count(const std::vector<Slice>& slices);

/// A single slice with the content of `pieces`: the piece itself if there is one, else scratch
/// into which they are copied at the end of the open round.
Slice packed(ScheduleBuilder& builder, const std::vector<Slice>& pieces);

/// Where to receive what belongs into `pieces`: the piece itself if there is one, else scratch
/// from which they are copied at the end of the open round.
Slice posted_receive_for(ScheduleBuilder& builder, const std::vector<Slice>& pieces);

}  // namespace tasuki::coll
