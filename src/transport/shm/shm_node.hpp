// The ranks of one node and everything they do through its shared memory: messages, bulk
// transfers, heaps, waking each other.
//
// The shm transport hands out one ShmNode over the whole job; the mpi transport has one for the
// ranks it shares its node with. Ranks are those of the job; an `index` is a rank's place on the
// node, which is also its place in the node's memory.
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/transport/transport.hpp>
#include <tasuki/error.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "transport/shm/growing_heap.hpp"
#include "transport/shm/idle_policy.hpp"
#include "transport/shm/job_file.hpp"

namespace tasuki::transport::shm {

/// Longest sleep, and how often a sleeper checks that its peers are alive.
inline constexpr std::int64_t check_interval_us = 100'000;

/// What is wrong if there is no memory for `what`; `failure` is an errno.
error no_room(const std::string& what, std::size_t bytes, int failure);

class ShmNode final : public Arrivals, public Memory {
 public:
  struct Place {
    int index = 0;           ///< Of this process on the node.
    std::vector<int> ranks;  ///< Rank in the job of each index; its size is the node's.
    int job_size = 0;        ///< Ranks of the job.
    int descriptor = -1;     ///< The node's memory file, taken over; see create_job_file.
  };

  /// Opens and maps the memory file. Throws tasuki::error.
  ShmNode(Place place, Counters& counters);
  ~ShmNode();
  ShmNode(const ShmNode&) = delete;
  ShmNode& operator=(const ShmNode&) = delete;

  void start();
  void stop() noexcept;

  int index() const noexcept { return place_.index; }
  int size() const noexcept { return static_cast<int>(place_.ranks.size()); }
  /// The way to a rank; nullptr if it is not on the node. Known after `start`.
  Lane* lane(int rank) const noexcept;
  /// As far as the node goes.
  Capabilities capabilities() const noexcept;

  bool poll(Arrival& arrival) override;
  void release(const Arrival&) override;
  void progress() override;
  void wait(std::uint64_t idle_count, std::int64_t most_us) override;
  // The sleeper's fence may not concern this process, and a nap has none.
  void wake() noexcept override { record(index()).doorbell.ring(WakeOrder::by_writer_fence); }

  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override;
  bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) override;
  bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) override;
  void notify(int rank) noexcept override {
    if (Doorbell* const bell = bells_[at(rank)]) bell->ring(wake_order_);
  }
  const HeapSegment& heap() const noexcept override { return heap_.segment(); }
  bool grow_heap(std::size_t bytes) override;
  bool shares(int rank) const noexcept override { return lane(rank) != nullptr; }
  std::span<std::byte> shared_scratch() noexcept override;

  static std::vector<base::MemoryAccount> memory_accounts();
  /// In the order of the accounts.
  std::vector<base::MemoryUse> memory_uses() const;

  /// Tells the other ranks of the node that the job is over; they end at their next wait.
  void announce_abort(int exit_code) noexcept { announce_abort(exit_code, index()); }

 private:
  class Peer;
  struct Inbound {
    RingReader reader;
    Peer* peer = nullptr;  ///< The writer.
    int source = 0;        ///< Its rank.
  };

  std::size_t message_max_bytes() const noexcept { return file_.layout().ring_bytes() / 4; }
  static std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }
  RankRecord& record(int index) const noexcept { return file_.record(index); }

  void hand_out(Arrival& arrival, const Inbound& inbound, RingHeader header,
                std::size_t skipped_bytes);
  bool take(Arrival& arrival, std::size_t from);
  /// Returns: is it an arrival for the caller?
  bool take_internal(Arrival& arrival, Inbound& inbound, RingHeader header);
  void release_ring(Inbound& inbound, std::size_t bytes);
  bool has_new_openers() const noexcept {
    return opened_count_->load(std::memory_order_relaxed) != seen_opened_count_;
  }
  void take_openers();
  void do_due_work();
  void say_private_copy_is_forbidden() noexcept;

  // start (shm_node_start.cpp)
  void join();
  void fill_record(RankRecord& mine);
  void await_others();
  void check_builds() const;
  /// The time that the ranks of the node use, of that of the cores they may run on.
  CpuShare share_of_ranks(std::size_t usable_cores) const;
  void connect();
  void probe_private_copies();
  [[noreturn]] void give_up(error why);

  // wait
  bool something_to_do() const noexcept;
  void disarm() noexcept;
  void sleep(std::int64_t most_us);
  void announce_abort(int exit_code, int failed_index) noexcept;
  void ring_all() noexcept;
  void end_if_aborted() const noexcept;
  void end_if_peer_died() noexcept;
  int find_dead_peer() noexcept;

  Place place_;
  Counters& counters_;
  JobFile file_;
  GrowingHeap heap_;
  WakeOrder wake_order_ = WakeOrder::by_writer_fence;
  bool work_due_ = false;        ///< Something is owed to some peer: see do_due_work.
  std::size_t pulls_count_ = 0;  ///< Transfers that this rank is copying.
  bool armed_ = false;           ///< The own doorbell is armed.
  bool naps_ = true;             ///< The next sleep is a nap; see sleep().
  std::size_t inbound_count_ = 0;
  std::size_t next_inbound_ = 0;
  std::size_t arrival_from_ = 0;
  std::size_t arrival_bytes_ = 0;
  std::vector<Inbound> inbound_;  ///< In the order in which they were seen to be open.
  std::vector<Peer> peers_;       ///< By index.
  std::vector<Peer*> by_rank_;    ///< nullptr: not on the node.
  std::vector<Doorbell*> bells_;  ///< As by_rank_; contiguous, because a collective rings many.
  std::vector<Peer*> opened_;     ///< The readers whose rings are open.
  const std::atomic<std::uint32_t>* opened_count_ = nullptr;  ///< The own record's.
  std::uint32_t seen_opened_count_ = 0;
  std::vector<std::uint64_t> taken_openers_;
  IdlePolicy idle_;
  bool shares_cores_ = false;
  std::int64_t next_check_ns_ = 0;
  int last_watched_ = 0;  ///< Index of the peer that was last asked for its life.
  bool holds_lifeline_ = false;
  std::uint64_t probe_value_ = 0;
};

}  // namespace tasuki::transport::shm
