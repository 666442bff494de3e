// CG's communication over Tasuki: segments travel as remote writes into known buffers, sums by
// allreduce.
//
// An Exchange (conjugate_gradients.hpp) of the program npb_cg_tasuki and of the served routines.
// Thread-safety: one per rank, from its own thread; making one is collective.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "npb/cg/layout.hpp"
#include "npb/cg/vector_operations.hpp"
#include "npb/common/options.hpp"
#include "npb/common/tasuki_sums.hpp"

namespace tasuki::npb::cg {

class TasukiExchange : public TasukiSums {
 public:
  TasukiExchange(const Layout& layout, bool split)
      : TasukiSums(split),
        layout_(layout),
        columns_(static_cast<std::size_t>(layout.columns())),
        inbox_(static_cast<std::size_t>(layout.segment().size()) * layout.row_peers().size()),
        mailboxes_(allgather(Mailbox{columns_.pointer(), inbox_.pointer(), expanded_.counter(),
                                     folded_.counter()})) {}

  std::span<double> segment() { return slice(columns_, layout_.columns_of(layout_.rank())); }
  std::span<const double> columns() { return columns_; }

  void expand() {
    const Stopwatch::Communication clocked(stopwatch());
    const std::int64_t place = layout_.columns_of(layout_.rank()).begin;
    for (const int peer : layout_.column_peers())
      send(segment(), mailbox(peer).columns + place, mailbox(peer).expanded);
    expanded_.wait(layout_.column_peers().size());
  }

  void fold(std::span<const double> partial, std::span<double> product) {
    {
      const Stopwatch::Communication clocked(stopwatch());
      for (const int peer : layout_.row_peers()) {
        const auto part = slice(partial, layout_.rows_of(peer));
        const auto place = layout_.place_among_row_peers(peer) * std::ssize(part);
        send(part, mailbox(peer).inbox + place, mailbox(peer).folded);
      }
      folded_.wait(layout_.row_peers().size());
    }
    add_parts(slice(partial, layout_.rows_of(layout_.rank())), inbox_, product);
  }

 private:
  /// Where the peers write. They write again only after a `sum` that this rank has joined when it
  /// was done with what they wrote before.
  struct Mailbox {
    GlobalPtr<double> columns;
    GlobalPtr<double> inbox;
    GlobalPtr<std::uint64_t> expanded;
    GlobalPtr<std::uint64_t> folded;
  };

  const Mailbox& mailbox(int peer) const { return mailboxes_[static_cast<std::size_t>(peer)]; }

  void send(std::span<const double> segment, GlobalPtr<double> to,
            GlobalPtr<std::uint64_t> counter) {
    stopwatch().count(1, segment.size_bytes());
    to.nwrite_signal(segment.data(), segment.size(), counter);
  }

  Layout layout_;
  SharedArray<double> columns_;
  SharedArray<double> inbox_;  ///< Partial products of this segment, by row_peers.
  Arrivals expanded_;
  Arrivals folded_;
  std::vector<Mailbox> mailboxes_;
};

}  // namespace tasuki::npb::cg
