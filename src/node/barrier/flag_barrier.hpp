// Barriers of flags in shared memory, for a team whose ranks share one node.
//
// Every rank raises a flag, one byte; eight of them make a word that is read at once. They differ
// in who reads the flags and how the others learn that all are up (after the (N-1)-ary tree of
// DIMMnet-1, Mitsuhashi et al. 2002). Any may follow any other, as long as all ranks use the same.
//
// A byte counts modulo 256, so flags of one byte are numbered by the barriers that raise them, not
// by all: what lies there is always the number before last or the new one. Words of eight bytes say
// the number among all barriers of the team.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

class FlagBarrier {
 public:
  static constexpr std::size_t line_bytes = 64;

  static std::size_t bytes_for(int ranks) noexcept;
  /// Requires: `memory` has bytes_for(ranks), zero at first, the same for all ranks.
  FlagBarrier(StagingBuffer& buffer, std::byte* memory);

  /// All ranks read all flags. Two ranks have a line each, written by one and read by the other.
  void exchange();
  /// The root reads all flags and releases the others by a word put to each.
  void tree();
  /// The root reads all flags and releases the others by one line that all read.
  void tree_multicast();
  /// Each group of eight has a leader that reads its word; the root reads the leaders' flags.
  void tree_two_level();

 private:
  /// Two sets of flags, used in turn, because a rank that is through may raise its next flag before
  /// others have read the last one.
  struct Flags {
    std::byte* sets;
    std::uint64_t number = 0;  ///< How often they were raised by all.
  };

  /// A barrier takes no step of the staging buffer.
  StagingBuffer::Turn take_turn();
  /// The set for the number that `flags` have now.
  std::byte* set_of(const Flags& flags) const noexcept;
  void raise(const Flags& flags, int index) const noexcept;
  /// Begins a barrier: this rank's flag is up; the root has seen those of all. Returns: its number.
  std::uint64_t raise_to_root();
  /// Waits until `count` flags from `first` (a multiple of 8) on are up.
  void wait_for_flags(const Flags& flags, int first, int count);
  void wait_for_word(const void* word, std::uint64_t number);
  void notify(int rank) noexcept;
  void notify_all() noexcept;

  StagingBuffer& buffer_;
  FlagWait wait_;
  int rank_;
  int ranks_;
  std::byte* release_;        ///< One line.
  std::byte* lines_;          ///< A line for each rank.
  Flags flags_;               ///< One for each rank.
  Flags leaders_flags_;       ///< One for each group.
  std::uint64_t number_ = 0;  ///< Of barriers.
};

}  // namespace tasuki::node
