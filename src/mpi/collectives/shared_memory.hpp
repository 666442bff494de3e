// Memory that the ranks of a communicator share when they are on one node.
//
// A tuned communicator makes one: a segment for flags and lines that all ranks know, and a heap for
// each rank. The file never has a name, so nothing is left behind whatever happens. Where ranks
// share cores each has a bell, too, by which the others wake it: to yield a core does not serve
// where the scheduler keeps each rank in a group of its own (docs/design/preloading.md).
//
// Thread-safety: none; one thread per rank.
#pragma once

#include "transport/shm/doorbell.hpp"
#include "transport/shm/private_copy.hpp"

#include <mpi.h>
#include <tasuki/detail/transport/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tasuki::mpi::collectives {

class SharedMemory final : public transport::PeerMemory {
 public:
  /// Returns: nullptr on all ranks where the ranks do not share a node, or memory could not be had.
  /// Collective over `communicator`, by collectives that do not block: the MPI library's blocking
  /// ones, and those that make communicators, spin where ranks share cores, and took 80 ms with 4
  /// ranks on 2 cores. `common_bytes` and `ranks_sleep` are the same on all ranks; the latter says
  /// whether `notify` has to wake anybody.
  static std::unique_ptr<SharedMemory> make(MPI_Comm communicator, std::size_t common_bytes,
                                            std::size_t heap_bytes, bool ranks_sleep);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// The segment, zero at first.
  std::byte* common() const noexcept { return base_; }
  std::span<std::byte> own_heap() const noexcept;
  /// Can this rank read the private memory of each other rank? The others may differ.
  bool reads_peers() const noexcept { return reads_peers_; }

  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override;
  bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) override;
  bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) override;
  void notify(int rank) noexcept override {
    if (ranks_sleep_) bells()[rank].ring(wake_order);
  }

  /// Sleeps until another rank notifies this one or `most_us` are over, unless `ready` holds.
  /// Requires: the ranks sleep.
  template <typename Ready>
  void sleep_unless(const Ready& ready, std::int64_t most_us) noexcept {
    transport::shm::Doorbell& bell = bells()[rank_];
    bell.arm(wake_order);
    if (ready()) {
      bell.disarm();
    } else {
      bell.sleep(most_us);
    }
  }

 private:
  using PrivateCopy = transport::shm::PrivateCopy;
  using Doorbell = transport::shm::Doorbell;

  /// Collectives ring often and sleep seldom, but a membarrier interrupts the ranks that compute.
  static constexpr auto wake_order = transport::shm::WakeOrder::by_writer_fence;

  struct Peer {
    std::uint64_t base;   ///< Where it has mapped the memory.
    std::uint64_t probe;  ///< Address of a word that others may read to see if they can.
    std::int64_t process_id;
  };

  /// Behind the bells: what the ranks tell each other when they have opened the file.
  struct Meeting {
    std::uint64_t token = 0;  ///< Of this file and no other.
    Peer* peers() noexcept { return reinterpret_cast<Peer*>(this + 1); }
  };

  SharedMemory() = default;
  bool open(MPI_Comm communicator);
  bool map_file(int file);
  void introduce();
  void meet_peers();
  std::size_t peers_count() const noexcept { return static_cast<std::size_t>(size_); }
  std::size_t bells_offset() const noexcept { return common_bytes_ + heap_bytes_ * peers_count(); }
  std::size_t meeting_offset() const noexcept {
    return bells_offset() + sizeof(Doorbell) * peers_count();
  }
  /// One for each rank, awake at first.
  Doorbell* bells() const noexcept { return reinterpret_cast<Doorbell*>(base_ + bells_offset()); }
  Meeting* meeting() const noexcept { return reinterpret_cast<Meeting*>(base_ + meeting_offset()); }

  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t common_bytes_ = 0;
  std::size_t heap_bytes_ = 0;
  int rank_ = 0;
  int size_ = 0;
  bool ranks_sleep_ = false;
  bool reads_peers_ = true;
  std::uint64_t probe_word_ = 0;
  std::vector<Peer> peers_;
  std::vector<PrivateCopy> copies_;  ///< One for each peer.
};

}  // namespace tasuki::mpi::collectives
