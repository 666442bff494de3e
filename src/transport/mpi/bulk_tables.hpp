// Bulk transfers of a rank, in both directions: what has been announced and how far it is.
//
// Used by the endpoint, which moves the data. Tables have an upper bound, as a sender has at most
// `transfers_per_peer` transfers to one rank that are not yet received; they grow with what is
// under way at once.
//
// Thread-safety: none.
#pragma once

#include <tasuki/detail/transport/completion.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "transport/mpi/functions.hpp"

namespace tasuki::transport::mpi {

inline constexpr std::size_t transfers_per_peer = 64;

/// Pieces of a transfer that its sender hands to MPI ahead of their receives. With one alone, two
/// ranks that send to each other copy in turn: MPI copies a piece inside a call of the receiver,
/// which sends its own next piece only after that.
inline constexpr std::size_t pieces_ahead_most = 2;

struct Outgoing {
  struct Piece {
    Request request;
    bool is_done = false;  ///< It was at once; then there is no request.
  };

  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t passed_bytes = 0;  ///< Handed to MPI, in pieces of at most piece_most_bytes.
  Completion* completion = nullptr;
  int rank = -1;
  int tag = 0;
  std::array<Piece, pieces_ahead_most> pieces = {};  ///< Those under way, the oldest first.
  std::size_t pieces_count = 0;

  Piece& oldest_piece() noexcept { return pieces.front(); }
  void drop_oldest_piece() noexcept {
    std::shift_left(pieces.begin(), pieces.end(), 1);
    --pieces_count;
  }
};

struct Incoming {
  std::byte* destination = nullptr;
  std::size_t bytes = 0;
  std::size_t passed_bytes = 0;
  Completion* completion = nullptr;
  Request request;
  int rank = -1;
  int tag = 0;
  std::uint32_t transfer = 0;  ///< Index in the sender's table.
  bool is_early = false;
};

/// Entries with a free list and a list of those that MPI works on.
template <class Transfer>
class TransferTable {
 public:
  explicit TransferTable(std::size_t most_count) noexcept : most_count_(most_count) {}

  Transfer& at(std::uint32_t index) noexcept { return entries_[index]; }
  bool is_full() const noexcept { return free_.empty() && entries_.size() == most_count_; }
  /// Before what cannot be taken back. Requires: not is_full(). Throws std::bad_alloc.
  void make_room() {
    if (free_.empty()) [[unlikely]]
      add();
  }
  /// Throws nothing after make_room. Requires: not is_full().
  std::uint32_t take(const Transfer& transfer) {
    make_room();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    entries_[index] = transfer;
    return index;
  }
  void give_back(std::uint32_t index) { free_.push_back(index); }

  void activate(std::uint32_t index) { active_.push_back(index); }
  std::size_t active_count() const noexcept { return active_.size(); }
  std::uint32_t active_at(std::size_t position) const noexcept { return active_[position]; }
  void deactivate_at(std::size_t position) noexcept {
    active_[position] = active_.back();
    active_.pop_back();
  }

  std::size_t made_count() const noexcept { return entries_.size(); }

 private:
  /// Lists that hold all entries, so that nothing but this allocates memory.
  void add() {
    const std::size_t count = entries_.size() + 1;
    if (free_.capacity() < count) free_.reserve(2 * count);
    if (active_.capacity() < count) active_.reserve(2 * count);
    entries_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(count - 1));
  }

  std::size_t most_count_;
  std::deque<Transfer> entries_;  ///< A deque, as entries are in use while others are added.
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> active_;
};

}  // namespace tasuki::transport::mpi
