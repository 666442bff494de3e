// The endpoint: messages and bulk transfers over UCX.
//
// Used by the ucx transport, which adds memory and the ranks of the own node. (UCX calls endpoint
// the way to one other process, which is a Peer here.)
//
// Short messages are eager active messages, sent from a pool of slots and handed up where UCX has
// received them. Each rank may have so many frames to each other that have not been released
// (credits), so that what UCX keeps for a rank that does not poll is bounded; credits go back on
// frames of the other direction, or alone when half of them are owed. Bulk data are active messages
// by rendezvous, small ones as UCX chooses: the receiver pulls the data to where it wants them.
// Data for a pre-posted receive are tagged messages. A way to another process is made when the
// first frame is sent there: its address is asked for, and what is sent to it is held until it has
// come. Meanwhile all else goes on.
//
// UCX calls back inside its progress, through C functions, which must not throw: they only note
// what has happened.
//
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "transport/network_arrivals.hpp"
#include "transport/shm/idle_policy.hpp"
#include "transport/ucx/frame.hpp"
#include "transport/ucx/opening_ways.hpp"
#include "transport/ucx/posted_receives.hpp"
#include "transport/ucx/send_slots.hpp"
#include "transport/ucx/wireup.hpp"
#include "transport/ucx/worker.hpp"

namespace tasuki::transport::ucx {

class Endpoint final : public NetworkArrivals {
 public:
  /// `shares_cores` as in Capabilities. Throws tasuki::error (UCX).
  Endpoint(int rank, int size, bool shares_cores, Counters& counters);
  ~Endpoint();

  /// By which other ranks reach this one.
  std::vector<std::byte> address() const { return worker_.address(); }
  /// Tells by which address a rank is reached, when something is first sent there.
  void connect(Wireup& wireup) { wireup_ = &wireup; }
  Lane& lane(int rank) noexcept;

  bool poll(Arrival& arrival) override;
  void release(const Arrival& arrival) override;
  void progress() override;
  void wait(std::uint64_t idle_count, std::int64_t most_us) override;
  bool has_arrival() const noexcept override { return !arrived_.empty(); }
  /// `progress`, without sending anything that has not been sent yet, while the job ends. A rank
  /// that knows that all frames have come closes its connections, which is no failure: a real one
  /// is refused by the next `progress`.
  void advance_in_leaving();

  static std::vector<base::MemoryAccount> memory_accounts();
  /// In the order of the accounts.
  std::vector<base::MemoryUse> memory_uses() const;

  /// What has left this rank and what has come here, of frames.
  struct Traffic {
    std::uint64_t sent = 0;
    std::uint64_t taken = 0;
  };
  Traffic traffic() const noexcept { return traffic_; }
  /// Requires: nothing more comes from any rank, nor is sent to one.
  void close();

 private:
  class Peer;
  /// A frame that waits to be handed up, or is handed up.
  struct Arrived {
    FrameKind kind;
    int source;
    void* data;  ///< UCX's, until it is released; of bulk frames in `bulk`.
    std::size_t bytes;
    std::uint32_t bulk;  ///< Index of the bulk transfer.
  };
  /// A bulk transfer that has been announced to this rank.
  struct Incoming {
    Endpoint* endpoint = nullptr;
    int source = 0;
    void* data = nullptr;  ///< The data, or UCX's description of them.
    std::size_t bytes = 0;
    bool is_rendezvous = false;
    std::vector<std::byte> header;
    Completion* completion = nullptr;
    std::uint32_t index = 0;
    /// The header is in use until the arrival is released, which may be before or after the data
    /// have been received.
    bool is_released = false;
    bool is_received = false;
  };

  Peer& peer(int rank) noexcept;
  void advance();
  void progress_worker();
  void take_addresses();
  void open_ways();
  void refuse_unreachable();
  void run_completed();
  /// Notes what UCX has told, for `advance`; `rank` is the other side, or -1 if it is not known.
  void fail(const char* operation, ucs_status_t status, int rank = -1) noexcept;
  void refuse_failure() const;
  bool anything_due() const noexcept { return !credit_due_.empty(); }
  void send_due();

  static ucs_status_t on_frame(void* self, const void* header, std::size_t header_bytes, void* data,
                               std::size_t bytes, const ucp_am_recv_param_t* how);
  static void on_received(void* request, ucs_status_t status, std::size_t bytes, void* incoming);
  ucs_status_t take_frame(std::span<const std::byte> header, void* data, std::size_t bytes,
                          bool is_rendezvous);
  std::uint32_t note_announced(int source, std::span<const std::byte> header, void* data,
                               std::size_t bytes, bool is_rendezvous);
  void receive_bulk(Incoming& incoming, std::byte* destination);
  void finish_incoming(Incoming& incoming);
  void give_back_if_done(Incoming& incoming);
  void take_arrived_posted();

  const Functions& functions_;
  int rank_;
  Counters& counters_;
  std::uint32_t window_;      ///< Credits of each pair.
  std::uint32_t bulk_most_;   ///< Bulk transfers to one rank that are not yet received.
  OpeningWays opening_ways_;  ///< Before the worker, whose end may still tell it something.
  Worker worker_;
  SendSlots slots_;
  PostedReceives posted_receives_;
  Wireup* wireup_ = nullptr;
  int asked_count_ = 0;      ///< Addresses that have been asked for and have not come.
  std::vector<Peer> peers_;  ///< By rank.
  std::deque<Arrived> arrived_;
  std::deque<Incoming> incoming_;  ///< A deque, as UCX keeps addresses of its elements.
  std::vector<std::uint32_t> free_incoming_;
  std::vector<Incoming*> received_;  ///< Bulk data that have come since the last `progress`.
  std::vector<Peer*> credit_due_;
  Traffic traffic_;
  const char* failed_operation_ = nullptr;  ///< Of the first failure that UCX has told.
  ucs_status_t failure_ = UCS_OK;
  int failed_rank_ = -1;
  bool is_closing_ = false;
  bool has_moved_ = false;  ///< Some bulk data, since the last wait.
  std::uint64_t polls_ = 0;
  shm::IdlePolicy idle_;
};

}  // namespace tasuki::transport::ucx
