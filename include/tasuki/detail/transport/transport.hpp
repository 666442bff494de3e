// The transport seam: what a backend gives to the layers above, which never know which one runs.
//
// One object per rank (in loopback several live in one process). Called by the runtime only,
// from the rank's own thread. All calls are non-blocking except `wait`, `start` and `stop`.
// Between two ranks messages, bulk announcements included, arrive in the order they were sent.
//
// Rules for a backend: `poll` never allocates; back-pressure is a return value, never a wait;
// memory stays bounded whatever the peers send. No function calls back into the runtime except
// through a Completion, and those only from inside a call that makes progress or sends bulk data.
//
// Thread-safety: none; one thread per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tasuki/detail/transport/mpi_operations.hpp>
#include <tasuki/detail/transport/peer_memory.hpp>

namespace tasuki::transport {

/// Told once when an operation of the transport is complete. Intrusive: the owner embeds it in
/// whatever it has to find again, and keeps it alive until `done` has been called.
struct Completion {
  void (*done)(Completion* self) = nullptr;
};

enum class ArrivalKind : std::uint8_t { message, bulk };

/// Something that arrived. `bytes` (the message, or the header of a bulk message) stays valid
/// until `release`; it starts on a multiple of 8.
struct Arrival {
  ArrivalKind kind = ArrivalKind::message;
  int source = -1;
  std::span<const std::byte> bytes;
  std::size_t bulk_bytes = 0;    ///< kind == bulk: size of the data to come.
  std::uint64_t bulk_token = 0;  ///< kind == bulk: what to hand to `accept`.
};

/// What the backend can do and where its limits are; constant after `start`.
struct Capabilities {
  std::size_t message_max_bytes = 0;  ///< Largest short message; at least 4096.
  /// Size up to which bytes in one message travel more cheaply than in several; aggregation fills
  /// messages up to this. At most message_max_bytes; 0: no preference.
  std::size_t message_best_bytes = 0;
  /// Size from which on bulk data travel more cheaply than the same bytes cut into messages of
  /// message_best_bytes; 0: no preference.
  std::size_t bulk_least_bytes = 0;
  /// The same for data that go to a pre-posted receive; 0: there are no pre-posted receives.
  std::size_t posted_least_bytes = 0;
  std::size_t posted_most_bytes = 0;
  std::size_t bulk_header_max_bytes = 0;  ///< Largest header of a bulk message; at least 128.
  bool maps_peers = false;                ///< `map` gives addresses for at least some peers.
  bool reads_private = false;      ///< `put_private`/`get_private` work for at least some peers.
  bool reads_all_private = false;  ///< `get_private` works for all peers.
  bool simulated_time = false;     ///< Never spin outside calls of the transport.
  bool shares_cores = false;       ///< This node's ranks are more than the cores they may use.
};

/// What went through; all counts since start.
struct Counters {
  std::uint64_t sends = 0;  ///< Messages and bulk messages handed to the network.
  std::uint64_t receives = 0;
  std::uint64_t probes = 0;  ///< Polls that looked for messages.
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  /// Messages, and headers of bulk messages, handed up in place: where they arrived. Every receive
  /// is either one of these or data for a pre-posted receive.
  std::uint64_t received_in_place = 0;
  /// Bulk messages whose data the receiver copied out of its own messages or out of the sender's
  /// memory, once; not those that the network brought straight to their destination.
  std::uint64_t received_copied = 0;
  std::uint64_t bytes_copied = 0;  ///< Of those.
};

/// The rank's shared heap: `[base, base + reserved_bytes)` is address space, of which the first
/// `committed_bytes` are memory.
struct HeapSegment {
  std::byte* base = nullptr;
  std::size_t reserved_bytes = 0;
  std::size_t committed_bytes = 0;
};

class Transport : public PeerMemory {
 public:
  virtual ~Transport() = default;

  /// Collective. Connects to the other ranks; throws tasuki::error (start time-out, ranks of
  /// different builds, no room for the segment, ...).
  virtual void start() = 0;
  /// Collective. All messages sent have been received by the runtime before. Never throws.
  virtual void stop() noexcept = 0;

  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  virtual const char* name() const noexcept = 0;  ///< As in the registry.
  virtual const Capabilities& capabilities() const noexcept = 0;
  virtual const Counters& counters() const noexcept = 0;
  /// Do both ranks run on the same node?
  virtual bool same_node(int rank) const noexcept = 0;

  // ---- short messages -------------------------------------------------------------------
  /// Room for a message of up to `bytes` to `rank`, aligned to 8, or nullptr: back-pressure, poll
  /// and try again. At most one acquired slot per rank is open; it must be committed before
  /// anything else is sent to that rank. Requires: bytes <= message_max_bytes.
  virtual std::byte* acquire(int rank, std::size_t bytes) = 0;
  /// Sends the first `bytes` of the acquired slot; 0 gives the slot back unsent.
  /// Requires: nothing behind them was written.
  virtual void commit(int rank, std::size_t bytes) = 0;

  // ---- bulk messages: announced, then pulled straight to where the receiver wants them ----
  /// Announces `data` to `rank`; false: back-pressure, poll and try again. `header` is copied.
  /// `data` must stay unchanged until `completion` is done (possibly inside this call); nullptr
  /// if the sender learns that otherwise.
  virtual bool send_bulk(int rank, std::span<const std::byte> header,
                         std::span<const std::byte> data, Completion* completion) = 0;
  /// Receives the data of the bulk arrival `token` into `destination`; `completion` is done when
  /// they are there (possibly inside this call). May be called after `release`, in any order.
  virtual void accept(std::uint64_t token, std::byte* destination, Completion* completion) = 0;

  /// False while `send_bulk` and `send_to_posted` refuse because too much is under way to `rank`:
  /// room for a short message does not help then.
  virtual bool has_bulk_room(int /*rank*/) const noexcept { return true; }

  // ---- pre-posted receives: memory that one peer fills again and again, without announcements
  // -----------
  static constexpr int no_posted_receive = -1;
  /// Lets `source` fill `destination` as often as it likes; `arrived` is done each time the data
  /// are there. Returns: the pre-posted receive's number, for `source`; no_posted_receive if there
  /// are no more. It stays until `stop`.
  virtual int post_receive(int /*source*/, std::span<std::byte> /*destination*/,
                           Completion* /*arrived*/) {
    return no_posted_receive;
  }
  /// Fills a pre-posted receive that `rank` has opened for this rank; false: back-pressure.
  /// `completion` as in send_bulk. Keeps no order with anything else; a slot for `rank` may be open
  /// meanwhile. Requires: data.size() is the pre-posted receive's.
  virtual bool send_to_posted(int /*rank*/, int /*posted_receive*/,
                              std::span<const std::byte> /*data*/, Completion* /*completion*/) {
    return false;
  }

  // ---- arrivals -----------------------------------------------------------------------------
  /// Makes progress and hands out the next arrival, if there is one. The next call comes only
  /// after the arrival was released.
  virtual bool poll(Arrival& arrival) = 0;
  virtual void release(const Arrival& arrival) = 0;
  /// Makes progress without handing out arrivals (completions, pending sends).
  virtual void progress() = 0;

  // ---- memory ----------------------------------------------------------------------------------
  virtual const HeapSegment& heap() const noexcept = 0;
  /// Commits at least `bytes` more; false if the reserve or the memory is used up.
  virtual bool grow_heap(std::size_t bytes) = 0;
  /// Zero-filled memory, the same for every rank of the job that shares this node, for flags and
  /// small buffers of collectives; nullptr if not all ranks share one node.
  /// Constant `shared_scratch_bytes` after start (0 if nullptr).
  virtual std::byte* shared_scratch() noexcept = 0;
  virtual std::size_t shared_scratch_bytes() const noexcept = 0;

  /// What the MPI library does by itself, for collectives; nullptr: nothing. The same on
  /// all ranks, constant after `start`.
  virtual MpiOperations* mpi_operations() noexcept { return nullptr; }

  /// Ends the whole job with `exit_code`; `why` has been reported.
  [[noreturn]] virtual void abort_job(int exit_code) noexcept = 0;
};

}  // namespace tasuki::transport
