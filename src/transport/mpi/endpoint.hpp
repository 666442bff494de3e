// The endpoint: messages and bulk transfers over MPI point-to-point.
//
// Used by the mpi transport, which adds memory and the ranks of the own node. Members mean what
// their namesakes in Transport mean (transport.hpp).
//
// Short messages are frames sent from a pool of slots into receives posted ahead. Each rank may
// have so many frames to each other that have not been released (credits), so that what MPI has to
// keep for a rank that does not look is bounded; credits go back on frames of the other
// direction, or alone when half of them are owed. Bulk data travel by a message of their own with a
// tag agreed in the announcement. They start at once ("early") while few of that pair's are under
// way, which saves a round trip and leaves the rendezvous for large data to MPI; the others wait
// for the receiver's clearance, so that early data cannot flood it either. Data for a pre-posted
// receive need no announcement at all: their receive is posted already (posted_receives.hpp).
//
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "transport/mpi/bulk_tables.hpp"
#include "transport/mpi/frame.hpp"
#include "transport/mpi/functions.hpp"
#include "transport/mpi/posted_receives.hpp"
#include "transport/mpi/receive_ring.hpp"
#include "transport/mpi/send_slots.hpp"

namespace tasuki::transport::mpi {

class Endpoint {
 public:
  static constexpr std::size_t message_max_bytes = frame_most_bytes - sizeof(FrameHeader);
  static constexpr std::size_t bulk_header_max_bytes = 1024;

  /// Tokens of bulk arrivals are at least this, to leave room for those of others.
  static constexpr std::uint64_t first_token = std::uint64_t{1} << 32;

  /// Collective (posts receives). Throws tasuki::error (MPI).
  Endpoint(const Functions& functions, const Job& job);

  std::byte* acquire(int rank, std::size_t bytes);
  void commit(int rank, std::size_t bytes);
  bool send_bulk(int rank, std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion);
  void accept(std::uint64_t token, std::byte* destination, Completion* completion);
  int post_receive(int source, std::span<std::byte> destination, Completion* arrived);
  bool has_bulk_room(int rank) const noexcept {
    return peers_[static_cast<std::size_t>(rank)].under_way < early_most_ && !outgoing_.is_full();
  }
  bool send_to_posted(int rank, int posted_receive, std::span<const std::byte> data,
                      Completion* completion);

  bool poll(Arrival& arrival);
  void release(const Arrival& arrival);
  void progress();
  /// Is there an arrival for `poll` to hand out? (Known since the last `progress`.)
  bool has_arrival() const noexcept { return head_is_taken_; }
  /// Has any bulk data moved since the last call?
  bool take_moved() noexcept { return std::exchange(has_moved_, false); }
  /// Blocks inside MPI until something arrives or completes; returns at once if a transfer
  /// has moved since the last call, because the caller may not have looked at it yet.
  void block();
  /// Collective. Receives what the transport's own frames are still under way, so that nothing is
  /// left in the communicator. Throws tasuki::error if there is a message for the layer above.
  void drain();

  const Counters& counters() const noexcept { return counters_; }

 private:
  struct Peer {
    std::uint32_t credits = 0;      ///< Frames that may still be sent to it.
    std::uint32_t owed_frames = 0;  ///< Frames released here and not yet told.
    std::uint32_t owed_bulk = 0;    ///< Bulk data received here and not yet told.
    std::uint32_t under_way = 0;    ///< Bulk transfers to it that it has not yet received.
    std::uint32_t next_bulk =
        0;  ///< Of the next bulk transfer to it, for the tag; below tag_count_.
    std::int32_t open = SendSlots::none;
    bool is_credit_due = false;  ///< It is in credit_due_.
  };
  /// Token of arrivals without data, which need no entry.
  static constexpr std::uint64_t empty_token = 2 * first_token;

  struct Clearance {
    int rank;
    std::uint32_t transfer;
  };

  Peer& peer(int rank) noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  void post(std::int32_t slot, int rank, FrameKind kind, std::size_t payload_bytes);
  int take_bulk_tag(Peer& to) noexcept;

  // receiving frames
  bool find_frame(bool asks_mpi);
  [[noreturn]] void refuse_late_message();
  void hand_out(Arrival& arrival);
  void take_announcement(Arrival& arrival, std::span<const std::byte> payload);
  void note_owed(int rank);
  bool anything_due() const noexcept { return !credit_due_.empty() || !clearance_due_.empty(); }
  void send_due();

  // moving bulk data (endpoint_bulk.cpp)
  void start_outgoing(std::uint32_t index);
  void take_arrived();
  void note_arrived(const PostedReceives::PostedReceive& posted_receive);
  void advance_outgoing(std::uint32_t index);
  void advance_incoming(std::uint32_t index);
  void finish_outgoing(std::uint32_t index);
  void finish_incoming(std::uint32_t index);
  void note_outgoing(std::size_t position);
  void note_incoming(std::size_t position);
  void test_transfers(bool asks_mpi);

  const Functions& functions_;
  Job job_;
  std::uint32_t window_;      ///< Credits of each pair.
  std::uint32_t early_most_;  ///< Bulk transfers under way up to which another one starts at once.
  std::uint32_t tag_count_;
  std::vector<Peer> peers_;
  SendSlots slots_;
  std::optional<ReceiveRing> ring_;
  bool head_is_taken_ = false;  ///< Of the frame at the ring's head only the arrival is left.
  TransferTable<Outgoing> outgoing_;
  TransferTable<Incoming> incoming_;
  PostedReceives posted_receives_;
  std::vector<int> credit_due_;
  std::vector<Clearance> clearance_due_;
  bool has_moved_ = false;  ///< Some transfer, since the last `take_moved`.
  std::uint64_t frames_sent_ = 0;
  std::uint64_t frames_taken_ = 0;
  Counters counters_;
};

}  // namespace tasuki::transport::mpi
