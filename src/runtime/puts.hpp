// Puts that travel as messages, to memory that this process cannot address: cut into records when
// small, as bulk data when large, and without an announcement when the same place is written again
// and again (a landing of the transport).
//
// Used by rma.cpp; one object per world. docs/design/bulk-over-mpi.md says why.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tasuki/runtime/world.hpp>
#include <vector>

namespace tasuki::runtime {

/// Where the data of a put go, and the counter that then rises.
struct PutPlace {
  std::uintptr_t address = 0;
  std::uint64_t bytes = 0;
  std::uintptr_t signal = 0;  ///< 0: none.
  std::uint64_t increment = 0;
  bool operator==(const PutPlace&) const = default;
};

/// What a put carries before its data.
struct PutHeader {
  PutPlace place;
  std::uint64_t acknowledge = 0;  ///< FutureState<void>* of the sender, or 0.
};

/// Raises the counter of a put whose data are here. signal 0: there is none.
void raise_signal(std::uintptr_t signal, std::uint64_t increment);

class Puts {
 public:
  explicit Puts(World& world);
  ~Puts();

  /// Returns when `data` may be reused; with an acknowledgement at once (the data must then stay
  /// until it is done). Waits as a fiber. Requires: header.place.bytes == data.size().
  void send(int rank, const PutHeader& header, std::span<const std::byte> data);
  /// Waits until all puts of this rank that travel as messages are visible at their targets.
  void fence();

 private:
  /// A place that this rank has written before.
  struct Repeat {
    PutPlace place;
    std::uint64_t used_at = 0;  ///< Number of the put that used it last.
    std::uint32_t count = 0;
    int landing = transport::Transport::no_landing;
    bool is_asked_for = false;  ///< Kept: the answer is under way, or there is a landing.
  };
  struct Peer {
    std::uint64_t sent_count = 0;       ///< Records and bulk puts to it, handed over.
    std::uint64_t confirmed_count = 0;  ///< So many of them a fence has found visible.
    std::uint64_t bulk_sent_count = 0;
    std::uint64_t bulk_landed_count = 0;  ///< Bulk puts from it that are here.
    /// Questions of fences to it without an answer. Bulk puts arrive in any order, so none begins
    /// meanwhile: then as many landed as were sent are all that were sent.
    int open_fences_count = 0;
    std::vector<Repeat> repeats;
  };
  struct Arrival;
  struct Landing;
  struct LocalWait;

  static void handle_put(World& world, int source, Reader& reader);
  static void handle_done(World& world, int source, Reader& reader);
  static void handle_bulk(World& world, int source, Reader& reader);
  static void handle_wish(World& world, int source, Reader& reader);
  static void handle_landing(World& world, int source, Reader& reader);
  static void handle_fence(World& world, int source, Reader& reader);

  Peer& peer(int rank) noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  void begin_bulk(int rank);
  void send_in_messages(int rank, const PutHeader& header, std::span<const std::byte> data);
  void send_announced(int rank, const PutHeader& header, std::span<const std::byte> data,
                      transport::Completion* completion);
  int find_landing(int rank, const PutPlace& place);
  Repeat* note_repeat(Peer& to, const PutPlace& place);
  int open_landing(int source, const PutPlace& place);
  void land(int source, const PutPlace& place);

  World& world_;
  std::size_t bulk_least_bytes_;
  std::size_t landing_least_bytes_;
  std::size_t landing_most_bytes_;
  std::uint64_t puts_count_ = 0;
  std::vector<Peer> peers_;
  std::vector<std::unique_ptr<Landing>> landings_;  ///< Of others, here.
};

}  // namespace tasuki::runtime
