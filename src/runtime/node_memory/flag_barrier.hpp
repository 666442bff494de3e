// Barriers of flags in shared memory, for a team whose ranks share one node.
//
// Every rank raises a flag, one byte; eight of them make a word that is read at once. They differ
// in who reads the flags and how the others learn that all are up (after the (N-1)-ary tree of
// DIMMnet-1, Mitsuhashi et al. 2002). Any may follow any other, as long as all ranks use the same.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/coll/algorithm.hpp>

#include "runtime/node_memory/board.hpp"

namespace tasuki::runtime {

class FlagBarrier {
 public:
  static constexpr std::size_t line_bytes = 64;

  static std::size_t bytes_for(int ranks) noexcept;
  /// Requires: `memory` has bytes_for(ranks), zero at first, the same for all ranks.
  FlagBarrier(Board& board, std::byte* memory);

  /// All ranks read all flags. Two ranks have a line each, written by one and read by the other.
  void exchange();
  /// The root reads all flags and releases the others by a word put to each.
  void tree();
  /// The root reads all flags and releases the others by one line that all read.
  void tree_multicast();
  /// Each group of eight has a leader that reads its word; the root reads the leaders' flags.
  void tree_two_level();

  using Way = void (FlagBarrier::*)();
  /// Requires: an algorithm of barrier whose medium is shared_memory.
  static Way way_of(const coll::AlgorithmDescriptor& algorithm);

 private:
  /// A barrier takes no step of the board.
  Board::Turn take_turn();
  /// This barrier's set of flags among `sets`: used in turn, because a rank that is through may
  /// raise its next flag before others have looked.
  std::byte* flags_of(std::byte* sets, std::uint64_t number) const noexcept;
  void raise(std::byte* flags, int index, std::uint64_t number) const noexcept;
  /// Begins a barrier: this rank's flag is up; the root has seen those of all. Returns: its number.
  std::uint64_t raise_to_root();
  /// Waits until `count` flags from `first` (a multiple of 8) on are those of this barrier.
  void wait_for_flags(const std::byte* flags, int first, int count, std::uint64_t number);
  void wait_for_word(const void* word, std::uint64_t number);
  void notify(int rank) noexcept;
  void notify_all() noexcept;

  Board& board_;
  FlagWait wait_;
  int rank_;
  int ranks_;
  std::byte* release_;        ///< One line.
  std::byte* lines_;          ///< A line for each rank.
  std::byte* flags_;          ///< Two sets of one byte for each rank.
  std::byte* leaders_flags_;  ///< Two sets of one byte for each group.
  std::uint64_t number_ = 0;
};

}  // namespace tasuki::runtime
