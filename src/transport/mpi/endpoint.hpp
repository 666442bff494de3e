// The endpoint: messages and bulk transfers over MPI point-to-point.
//
// Used by the mpi transport, which adds memory and the ranks of the own node.
//
// Short messages are frames sent from a pool of slots into receives posted ahead. Each rank may
// have so many frames to each other that have not been released (credits), so that what MPI has to
// keep for a rank that does not poll is bounded; credits go back on frames of the other
// direction, or alone when half of them are owed. Bulk data travel by a message of their own with a
// tag agreed in the announcement. They start at once ("early") while few of that pair's are under
// way, which saves a round trip and leaves the rendezvous for large data to MPI; the others wait
// for the receiver's clearance, so that early data cannot flood it either. Data for a pre-posted
// receive need no announcement at all: their receive is posted already (posted_receives.hpp).
//
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/base/memory_account.hpp>
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
#include "transport/network_arrivals.hpp"
#include "transport/shm/idle_policy.hpp"

namespace tasuki::transport::mpi {

class Endpoint final : public NetworkArrivals {
 public:
  static constexpr std::size_t message_max_bytes = frame_most_bytes - sizeof(FrameHeader);
  static constexpr std::size_t bulk_header_max_bytes = 1024;

  /// Collective (posts receives). `shares_cores` as in Capabilities. Throws tasuki::error (MPI).
  Endpoint(const Functions& functions, const Job& job, bool shares_cores, Counters& counters);
  ~Endpoint();

  Lane& lane(int rank) noexcept;

  bool poll(Arrival& arrival) override;
  void release(const Arrival& arrival) override;
  void progress() override;
  void wait(std::uint64_t idle_count, std::int64_t most_us) override;
  bool has_arrival() const noexcept override { return head_is_taken_; }

  static std::vector<base::MemoryAccount> memory_accounts();
  /// In the order of the accounts.
  std::vector<base::MemoryUse> memory_uses() const;
  /// Collective. Receives what the transport's own frames are still under way, so that nothing is
  /// left in the communicator. Throws tasuki::error if there is a message for the layer above.
  void drain();

 private:
  class Peer;
  struct Clearance {
    Peer* to;
    std::uint32_t transfer;
  };

  Peer& peer(int rank) noexcept;

  // receiving frames
  bool find_frame(bool asks_mpi);
  [[noreturn]] void refuse_late_message();
  void hand_out(Arrival& arrival);
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

  // waiting (endpoint_wait.cpp)
  /// Has any bulk data moved since the last call?
  bool take_moved() noexcept { return std::exchange(has_moved_, false); }
  void block();
  void pass_simulated_time(std::int64_t most_us);

  const Functions& functions_;
  Job job_;
  std::uint32_t window_;      ///< Credits of each pair.
  std::uint32_t early_most_;  ///< Bulk transfers under way up to which another one starts at once.
  std::uint32_t tag_count_;
  std::size_t pieces_ahead_;  ///< Of an outgoing transfer.
  std::vector<Peer> peers_;   ///< By rank.
  SendSlots slots_;
  std::optional<ReceiveRing> ring_;
  bool head_is_taken_ = false;  ///< Of the frame at the ring's head only the arrival is left.
  TransferTable<Outgoing> outgoing_;
  TransferTable<Incoming> incoming_;
  PostedReceives posted_receives_;
  std::vector<Peer*> credit_due_;
  std::vector<Clearance> clearance_due_;
  bool has_moved_ = false;  ///< Some transfer, since the last `take_moved`.
  std::uint64_t frames_sent_ = 0;
  std::uint64_t frames_taken_ = 0;
  shm::IdlePolicy idle_;
  Counters& counters_;
  std::uint64_t polls_ = 0;
};

}  // namespace tasuki::transport::mpi
