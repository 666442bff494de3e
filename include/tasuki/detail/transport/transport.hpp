// The transport interface: what a backend gives to the layers above, which never know which one it
// is.
//
// One object per rank (in loopback several live in one process). A transport starts and ends the
// rank's part of the job; once started it hands out the rest, each an interface of its own: a lane
// to each rank, what arrives, the memory that ranks share, and the operations of an MPI library.
// docs/design/transport-interface.md says why. Called by the runtime only. Only `start`, `stop` and
// Arrivals::wait may block.
//
// Thread-safety: none; one thread per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tasuki/detail/transport/arrivals.hpp>
#include <tasuki/detail/transport/lane.hpp>
#include <tasuki/detail/transport/memory.hpp>
#include <tasuki/detail/transport/mpi_operations.hpp>

namespace tasuki::transport {

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
  /// `get_private` works for all peers, as far as is known: one was tried.
  bool reads_private = false;
  /// Peers get on, and time passes, only inside calls of the transport: to spin elsewhere, or to
  /// take more steps, gains nothing.
  bool peers_need_calls = false;
  bool shares_cores = false;  ///< This node's ranks are more than the cores they may use.
};

/// What went through, all counts since start. Each part of a transport adds its own.
struct Counters {
  std::uint64_t sends = 0;  ///< Messages and bulk messages handed to the network.
  std::uint64_t receives = 0;
  std::uint64_t probes = 0;  ///< Polls for messages.
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

class Transport {
 public:
  virtual ~Transport() = default;

  /// Collective. Connects to the other ranks; throws tasuki::error (start time-out, ranks of
  /// different builds, no room for the segment, ...).
  virtual void start() = 0;
  /// Collective. All messages sent have been received by the runtime before. Never throws.
  virtual void stop() noexcept = 0;
  /// Ends the whole job with `exit_code`; why has been reported.
  [[noreturn]] virtual void abort_job(int exit_code) noexcept = 0;

  virtual const char* name() const noexcept = 0;  ///< As in the registry.
  const Counters& counters() const noexcept { return counters_; }

  // ---- known, and constant, after `start` -------------------------------------------------------
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return static_cast<int>(lanes_.size()); }
  const Capabilities& capabilities() const noexcept { return capabilities_; }
  Lane& lane(int rank) const noexcept { return *lanes_[static_cast<std::size_t>(rank)]; }
  Arrivals& arrivals() const noexcept { return *arrivals_; }
  Memory& memory() const noexcept { return *memory_; }
  /// What the MPI library does by itself, for collectives; nullptr: nothing. The same on all ranks.
  MpiOperations* mpi_operations() const noexcept { return mpi_operations_; }
  /// One number for each rank, the same for ranks of one node; empty: all are on one.
  std::span<const int> nodes() const noexcept { return nodes_; }
  /// One number for each rank, the same for ranks of nodes that are near each other; empty: not
  /// known.
  std::span<const int> node_groups() const noexcept { return node_groups_; }

 protected:
  int rank_ = 0;
  Counters counters_;
  Capabilities capabilities_;
  std::vector<Lane*> lanes_;  ///< By rank.
  Arrivals* arrivals_ = nullptr;
  Memory* memory_ = nullptr;
  MpiOperations* mpi_operations_ = nullptr;
  std::vector<int> nodes_;
  std::vector<int> node_groups_;
};

}  // namespace tasuki::transport
