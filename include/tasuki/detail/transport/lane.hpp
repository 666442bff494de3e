// A lane: the way to one other rank of the job, for short messages and bulk data.
//
// Handed out by a transport, one for each rank, the own one included. Called by the runtime only,
// from the rank's own thread. No call waits; back-pressure is a return value. Between two ranks
// messages, bulk announcements included, arrive in the order they were sent.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/transport/completion.hpp>

namespace tasuki::transport {

class Lane {
 public:
  // ---- short messages -------------------------------------------------------------------
  /// Room for a message of up to `bytes`, aligned to 8, or nullptr: back-pressure, poll and try
  /// again. At most one acquired slot is open; it must be committed before anything else is sent
  /// here. Requires: bytes <= message_max_bytes.
  virtual std::byte* acquire(std::size_t bytes) = 0;
  /// Sends the first `bytes` of the acquired slot; 0 gives the slot back unsent.
  /// Requires: nothing behind them was written.
  virtual void commit(std::size_t bytes) = 0;

  // ---- bulk messages: announced, then pulled straight to where the receiver wants them ----
  /// Announces `data`; false: back-pressure, poll and try again. `header` is copied.
  /// `data` must stay unchanged until `completion` is done (possibly inside this call); nullptr
  /// if the sender learns that otherwise. Throws std::bad_alloc before anything has happened; after
  /// another exception nobody knows what was sent.
  virtual bool send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                         Completion* completion) = 0;
  /// Receives the data of the other side's bulk arrival `token` into `destination`; `completion` is
  /// done when they are there (possibly inside this call). May be called after `release`, in any
  /// order.
  virtual void accept(std::uint64_t token, std::byte* destination, Completion* completion) = 0;

  /// False while so much is under way that more does not help. If `send_bulk` or `send_to_posted`
  /// has refused, this tells why: true means that a short message has no room either.
  virtual bool has_bulk_room() const noexcept { return true; }

  // ---- pre-posted receives: memory that the peer fills unannounced ----
  static constexpr int no_posted_receive = -1;
  /// Lets the other side fill `destination` as often as it likes; `arrived` is done each time the
  /// data are there. Returns: the pre-posted receive's number, for the other side;
  /// no_posted_receive if there are no more. It stays until `stop`.
  virtual int post_receive(std::span<std::byte> /*destination*/, Completion* /*arrived*/) {
    return no_posted_receive;
  }
  /// The same for data that come once: after `arrived` the receive is posted again only when
  /// `post_again` says where, and data that come before that wait. It stays until `take_back`.
  virtual int post_single_receive(std::span<std::byte> /*destination*/, Completion* /*arrived*/) {
    return no_posted_receive;
  }
  /// Posts an own single receive again, into memory of the same size. Requires: it has arrived.
  virtual void post_again(int /*posted_receive*/, std::byte* /*destination*/) {}
  /// Ends an own single receive; its number may be given to another one. Requires: all data that
  /// were sent to it have arrived, and no more are sent.
  virtual void take_back(int /*posted_receive*/) {}
  /// Fills a pre-posted receive that the other side has opened for this rank; false: back-pressure.
  /// `completion` as in send_bulk. Keeps no order with anything else; a slot may be open meanwhile.
  /// Requires: data.size() is the pre-posted receive's.
  virtual bool send_to_posted(int /*posted_receive*/, std::span<const std::byte> /*data*/,
                              Completion* /*completion*/) {
    return false;
  }

 protected:
  ~Lane() = default;
};

}  // namespace tasuki::transport
