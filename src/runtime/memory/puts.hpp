// Puts that travel as messages, to memory that this process cannot address: each is cut into
// records when it is small, and sent as bulk data when it is large or its place has a pre-posted
// receive (posted_places.hpp).
//
// Used by rma.cpp and scattered.cpp; one object per rank. docs/design/bulk-over-mpi.md says why.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <span>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>
#include <tasuki/detail/runtime/memory/scattered.hpp>

#include "base/peer_table.hpp"
#include "runtime/memory/posted_places.hpp"
#include "runtime/memory/put_fence.hpp"
#include "runtime/memory/signal_order.hpp"

namespace tasuki::runtime {

/// What a put carries before its data.
struct PutHeader {
  PutPlace place;
  ReplyToken acknowledge{};  ///< The state of a future of the sender, or void.
};

class Puts {
 public:
  Puts(Rank& self, const SharedHeap& heap);

  /// Returns when `data` may be reused; with an acknowledgement at once (the data must then stay
  /// until it is done). Waits as a fiber. Requires: header.place.bytes == data.size().
  void send(int rank, const PutHeader& header, std::span<const std::byte> data);
  /// Puts of all blocks, with one signal and one acknowledgement; the latter only if `packs`.
  /// Requires: there are blocks.
  void send_scattered(RemoteAddress to, const std::byte* from, const Scattered& blocks,
                      const Signal& signal, ReplyToken acknowledge);
  /// Are the blocks so small that many of them travel in one message?
  static bool packs(const Scattered& blocks) noexcept;
  /// May a signal of `rank` that this process can address be raised from here? Not while puts that
  /// carry signals are on their way to it, which have to be counted before.
  bool may_raise_signals(int rank) const noexcept { return fence_.knows_signals_visible(rank); }
  /// Waits until all puts of this rank that travel as messages are visible at their targets.
  void fence() { fence_.wait(); }

  /// For the handlers of the parts.
  PutFence& put_fence() noexcept { return fence_; }
  PostedPlaces& posted_places() noexcept { return posted_places_; }

  static constexpr base::MemoryAccount account_of_signals() noexcept {
    return base::PeerTable<SignalOrder>::account("order of signals");
  }
  base::MemoryUse memory_use_of_signals() const noexcept {
    return signals_.use(account_of_signals());
  }

 private:
  struct Arrival;

  static void handle_put(Rank& self, int source, Reader& reader);
  static void handle_bulk(Rank& self, int source, Reader& reader);
  static void handle_scattered(Rank& self, int source, Reader& reader);

  SignalOrder& signals_of(int source) { return signals_[source]; }
  void send_in_messages(int rank, const PutHeader& header, std::span<const std::byte> data);
  void send_packed(RemoteAddress to, const std::byte* from, const Scattered& blocks,
                   const Signal& signal, ReplyToken acknowledge);
  void hand_over(int rank, const PutHeader& header, std::span<const std::byte> data,
                 bool has_posted_receive, transport::Completion* sent);

  Rank& self_;
  std::size_t bulk_least_bytes_;
  PutFence fence_;
  base::PeerTable<SignalOrder> signals_;  ///< Of the puts that arrive, for each source.
  PostedPlaces posted_places_;
};

}  // namespace tasuki::runtime
