// Places that one rank writes again and again: gives them a pre-posted receive of the transport, so
// that puts to them need no announcement.
//
// The writer counts its puts to each place and asks for a receive; the target posts it and tells
// its number. For writes that carry signals, both ends also agree which of them went to the receive
// (signal_order.hpp). Used by Puts. docs/design/bulk-over-mpi.md says why.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

#include "base/peer_table.hpp"
#include "runtime/memory/put_fence.hpp"
#include "runtime/memory/signal_order.hpp"

namespace tasuki::runtime {

/// Where the data of a put go, and the counter that then rises.
struct PutPlace {
  std::uintptr_t address = 0;
  std::uint64_t bytes = 0;
  Signal signal{};
  bool operator==(const PutPlace&) const = default;
};

class PostedPlaces {
 public:
  /// Tells the fence and the signal order of each source, which outlive this, what has arrived.
  PostedPlaces(Rank& self, const SharedHeap& heap, PutFence& fence,
               base::PeerTable<SignalOrder>& arriving_signals);
  ~PostedPlaces();

  // ---- on the writer
  static constexpr int no_receive = transport::Lane::no_posted_receive;

  /// May a place of that size have a receive?
  bool takes(std::size_t bytes) const noexcept {
    return bytes >= least_bytes_ && bytes <= most_bytes_;
  }
  /// Has the place a receive? Asks for one when the place has been written often enough.
  bool find(int rank, const PutPlace& place);
  /// Counts a put to the place's receive. Returns: its number, or no_receive if others have left
  /// it since `find`.
  int use(int rank, const PutPlace& place);
  /// Before a put with that signal, if it is one, goes another way than to the receive of one
  /// before it.
  void leave(int rank, const Signal& signal) {
    if (signal.address != 0) leave_used(rank, signal);
  }

  static constexpr base::MemoryAccount account() noexcept {
    return base::PeerTable<Target>::account("places with posted receives");
  }
  base::MemoryUse memory_use() const noexcept { return targets_.use(account()); }

 private:
  /// A place that this rank has written before.
  struct Repeat {
    PutPlace place;
    std::uint64_t used_at = 0;  ///< Number of the put that used it last.
    std::uint32_t count = 0;
    int receive = no_receive;
    bool is_asked_for = false;  ///< Kept: the answer is under way, or there is a receive.
    /// Puts that went to the receive; if they carry a signal, its target has been told of the
    /// first.
    std::uint64_t arrived_count = 0;
    bool is_used() const noexcept { return receive != no_receive && arrived_count != 0; }
  };
  struct Target {
    std::vector<Repeat> repeats;
    /// Counters that are raised from several places, and so only by messages.
    std::vector<std::uintptr_t> mixed_signals;
    bool is_mixed(const PutPlace& place) const;
  };
  struct PostedReceive;

  static void handle_wish(Rank& self, int source, Reader& reader);
  static void handle_receive(Rank& self, int source, Reader& reader);
  static void handle_open(Rank& self, int source, Reader& reader);
  static void handle_close(Rank& self, int source, Reader& reader);

  Target& target(int rank) { return targets_[rank]; }
  Repeat* note_repeat(Target& to, const PutPlace& place);
  void leave_used(int rank, const Signal& signal);
  template <class... Ts>
  void tell(int rank, Handler handler, const Ts&... values);
  int post(int source, const PutPlace& place);
  SignalOrder& signals_of(int source) { return signals_[source]; }

  Rank& self_;
  const SharedHeap& heap_;
  PutFence& fence_;
  base::PeerTable<SignalOrder>& signals_;
  std::size_t least_bytes_;
  std::size_t most_bytes_;
  std::uint64_t puts_count_ = 0;
  base::PeerTable<Target> targets_;
  std::vector<std::unique_ptr<PostedReceive>> receives_;  ///< Of others, here.
};

}  // namespace tasuki::runtime
