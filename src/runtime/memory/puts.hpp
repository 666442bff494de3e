// Puts that travel as messages, to memory that this process cannot address: cut into records when
// small, as bulk data when large, and without an announcement when the same place is written again
// and again (a pre-posted receive of the transport). Signals are raised in the order of the writes
// (signal_order.hpp).
//
// Used by rma.cpp; one object per world. docs/design/bulk-over-mpi.md says why.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>
#include <vector>

#include "runtime/memory/signal_order.hpp"

namespace tasuki::runtime {

/// Where the data of a put go, and the counter that then rises.
struct PutPlace {
  std::uintptr_t address = 0;
  std::uint64_t bytes = 0;
  Signal signal{};
  bool operator==(const PutPlace&) const = default;
};

/// What a put carries before its data.
struct PutHeader {
  PutPlace place;
  ReplyToken acknowledge{};  ///< A FutureState<void> of the sender, or void.
};

class Puts {
 public:
  explicit Puts(Rank& self);
  ~Puts();

  /// Returns when `data` may be reused; with an acknowledgement at once (the data must then stay
  /// until it is done). Waits as a fiber. Requires: header.place.bytes == data.size().
  void send(int rank, const PutHeader& header, std::span<const std::byte> data);
  /// May a signal of `rank` that this process can address be raised from here? Not while puts that
  /// carry signals are on their way to it, which have to be counted before.
  bool may_raise_signals(int rank) const noexcept {
    if (!any_signals_sent_) [[likely]]
      return true;
    const Peer& to = peers_[static_cast<std::size_t>(rank)];
    return to.signals_sent_until <= to.confirmed_count;
  }
  /// Waits until all puts of this rank that travel as messages are visible at their targets.
  void fence();

 private:
  /// A place that this rank has written before.
  struct Repeat {
    PutPlace place;
    std::uint64_t used_at = 0;  ///< Number of the put that used it last.
    std::uint32_t count = 0;
    int posted_receive = transport::Lane::no_posted_receive;
    bool is_asked_for =
        false;  ///< Kept: the answer is under way, or there is a pre-posted receive.
    /// Puts that went to the pre-posted receive; if they carry a signal, its target has been told
    /// of the first.
    std::uint64_t arrived_count = 0;
    bool is_used() const noexcept {
      return posted_receive != transport::Lane::no_posted_receive && arrived_count != 0;
    }
  };
  struct Peer {
    std::uint64_t sent_count = 0;       ///< Records and bulk puts to it, handed over.
    std::uint64_t confirmed_count = 0;  ///< So many of them a fence has found visible.
    std::uint64_t bulk_sent_count = 0;
    std::uint64_t bulk_arrived_count = 0;  ///< Bulk puts from it that are here.
    /// Questions of fences to it without an answer. Bulk puts arrive in any order, so none begins
    /// meanwhile: then as many arrived as were sent are all that were sent.
    std::size_t open_fences_count = 0;
    std::uint64_t signals_sent_until = 0;  ///< sent_count after the last put with a signal.
    std::vector<Repeat> repeats;
    /// Counters that are raised from several places, and so only by messages.
    std::vector<std::uintptr_t> mixed_signals;
    SignalOrder arriving_signals;
  };
  struct Arrival;
  struct PostedReceive;

  static void handle_put(Rank& self, int source, Reader& reader);
  static void handle_done(Rank& self, int source, Reader& reader);
  static void handle_bulk(Rank& self, int source, Reader& reader);
  static void handle_wish(Rank& self, int source, Reader& reader);
  static void handle_posted_receive(Rank& self, int source, Reader& reader);
  static void handle_fence(Rank& self, int source, Reader& reader);
  static void handle_open(Rank& self, int source, Reader& reader);
  static void handle_close(Rank& self, int source, Reader& reader);

  Peer& peer(int rank) noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  void begin_bulk(int rank);
  void send_in_messages(int rank, const PutHeader& header, std::span<const std::byte> data);
  void take_back_bulk(int rank);
  void hand_over(int rank, const PutHeader& header, std::span<const std::byte> data,
                 bool has_posted_receive, transport::Completion* sent);
  bool find_posted_receive(int rank, const PutPlace& place);
  static bool is_mixed(const Peer& to, const PutPlace& place);
  int use_posted_receive(int rank, const PutPlace& place);
  void leave_posted_receive(int rank, const Signal& signal);
  template <class... Ts>
  void tell_of_posted(int rank, Handler handler, const Ts&... values);
  void note_signal(int rank, const Signal& signal);
  Repeat* note_repeat(Peer& to, const PutPlace& place);
  int post_receive(int source, const PutPlace& place);

  Rank& self_;
  std::size_t bulk_least_bytes_;
  std::size_t posted_least_bytes_;
  std::size_t posted_most_bytes_;
  std::uint64_t puts_count_ = 0;
  bool any_signals_sent_ = false;  ///< In messages, to any rank.
  std::vector<Peer> peers_;
  std::vector<std::unique_ptr<PostedReceive>> posted_receives_;  ///< Of others, here.
};

}  // namespace tasuki::runtime
