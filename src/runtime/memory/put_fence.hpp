// How far the puts that travel as messages have come: waits until those of this rank are visible at
// their targets.
//
// Messages keep their order, so those before a fence's question are there when it is answered; bulk
// puts are counted at both ends. Puts tells what it sends and what arrives.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>

#include "base/peer_table.hpp"
#include "runtime/memory/signal_order.hpp"

namespace tasuki::runtime {

/// Fulfils the future of `rank` behind the token: what it has begun, a put or a fence, is done.
void send_done(Rank& self, int rank, ReplyToken token);

class PutFence {
 public:
  explicit PutFence(Rank& self) : self_(self), peers_(self.size) {}

  /// A record with a put is handed over.
  void count_record(int rank) { ++peer(rank).sent_count; }
  /// Counts a bulk put, once no fence waits for those before it; it is under way from here on.
  void begin_bulk(int rank) {
    Peer& to = peer(rank);
    if (to.open_fences_count != 0) wait_for_fences(rank);
    ++to.sent_count;
    ++to.bulk_sent_count;
    ++self_.traffic.with(rank).begun;
  }
  /// One that could not be sent (there is no memory, say) will never be done.
  void take_back_bulk(int rank);
  /// What was counted last carries the signal, if it is one.
  void note_signal(int rank, const Signal& signal) {
    if (signal.address == 0) return;
    any_signals_sent_ = true;
    peer(rank).signals_sent_until = peer(rank).sent_count;
  }
  /// The data of a bulk put are here.
  void count_bulk_arrival(int source) { ++peer(source).bulk_arrived_count; }

  /// Have all puts to the rank that carry signals been seen to be visible there?
  bool knows_signals_visible(int rank) const noexcept {
    if (!any_signals_sent_) [[likely]]
      return true;
    const Peer* const to = peers_.find(rank);
    return to == nullptr || to->signals_sent_until <= to->confirmed_count;
  }
  /// Waits as a fiber until all puts of this rank that were counted before are visible.
  void wait();

  static constexpr base::MemoryAccount account() noexcept {
    return base::PeerTable<Peer>::account("counts of remote writes");
  }
  base::MemoryUse memory_use() const noexcept { return peers_.use(account()); }

 private:
  struct Peer {
    std::uint64_t sent_count = 0;       ///< Records and bulk puts to it, handed over.
    std::uint64_t confirmed_count = 0;  ///< So many of them a fence has found visible.
    std::uint64_t bulk_sent_count = 0;
    std::uint64_t bulk_arrived_count = 0;  ///< Bulk puts from it that are here.
    /// Questions of fences to it without an answer. Bulk puts arrive in any order, so none begins
    /// meanwhile: then as many arrived as were sent are all that were sent.
    std::size_t open_fences_count = 0;
    std::uint64_t signals_sent_until = 0;  ///< sent_count after the last put with a signal.
  };

  static void handle_question(Rank& self, int source, Reader& reader);
  Peer& peer(int rank) { return peers_[rank]; }
  void wait_for_fences(int rank);

  Rank& self_;
  bool any_signals_sent_ = false;  ///< In messages, to any rank.
  base::PeerTable<Peer> peers_;
};

}  // namespace tasuki::runtime
