// Blocks whose sizes only the rank that gives and the rank that takes know, staged for each other.
//
// Used by the v-forms on shared memory. Short blocks are copied into the staging buffer. Of a long
// one its rank gives only the place, and whoever takes it copies from there. The size decides, so
// both ends come to the same answer without asking. Each block's size lies beside it: ranks that
// disagree about it end with a message. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

class UnevenBlocks {
 public:
  /// Collective. Blocks of up to `piece_bytes` go through the staging buffer, if they fit.
  /// `takers_count`: 1 if all give to the same rank, else ranks - 1.
  UnevenBlocks(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes,
               int takers_count);

  /// The block, for another rank, stays as it is until `end`. Once for each taker, before
  /// `publish`.
  void give(int taker, std::span<const std::byte> block);
  /// This rank gives no more. A rank that gives nothing waits here, too, so that it cannot run
  /// ahead without bound.
  void publish();
  /// Copies the block that `giver`, another rank, has for this one, once it is there. Ends the job
  /// if it is not as long as `into`. A receiver of zero bytes skips the wait and cannot detect a
  /// mismatch, because in many exchanges by v-forms most blocks are empty.
  void take(int giver, std::span<std::byte> into);
  /// This rank takes no more. Returns when its self blocks are needed no more.
  void end();

 private:
  using Size = std::uint64_t;
  using Address = std::uint64_t;

  /// Which part of the giver's line and slot is for the taker.
  std::size_t share_of(int giver, int taker) const noexcept;
  /// Ends the job if the size that lies at `size_at` is not the one that this rank expects.
  void check_size(int giver, const std::byte* size_at, std::size_t expected_bytes) const;
  bool lines_have_sizes() const noexcept { return line_share_bytes_ != 0; }
  std::size_t line_most_bytes() const noexcept {
    return lines_have_sizes() ? line_share_bytes_ - sizeof(Size) : 0;
  }

  StagingBuffer& buffer_;
  StagingBuffer::Turn turn_;
  std::uint64_t step_;
  const char* what_;
  bool is_for_one_;
  std::size_t line_share_bytes_;  ///< 0: sizes and all else lie in the slot.
  std::size_t slot_share_bytes_;
  std::size_t slot_data_offset_;  ///< Within a share.
  std::size_t slot_most_bytes_;   ///< Of a block that goes through the staging buffer.
  std::byte* line_ = nullptr;     ///< This rank's places of the step, once it gives something.
  std::byte* slot_ = nullptr;
  std::vector<int> takers_of_long_;
  std::vector<int> givers_of_long_;
};

}  // namespace tasuki::node
