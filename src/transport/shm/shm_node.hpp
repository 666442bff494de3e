// The ranks of one node and everything they do through its shared memory: messages, bulk
// transfers, heaps, waking each other.
//
// The shm transport is one ShmNode over the whole job; the mpi transport has one for the ranks it
// shares its node with. Members mean what their namesakes in Transport mean (transport.hpp), but
// peers are named by their `index` on the node, 0 to size()-1; only Arrival::source is a
// rank of the job.
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/transport/transport.hpp>
#include <tasuki/error.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transport/shm/bulk.hpp"
#include "transport/shm/growing_heap.hpp"
#include "transport/shm/idle_policy.hpp"
#include "transport/shm/job_file.hpp"
#include "transport/shm/private_copy.hpp"

namespace tasuki::transport::shm {

/// Longest sleep, and how often a sleeper looks whether its peers are alive.
inline constexpr std::int64_t check_interval_us = 100'000;

/// What is wrong if there is no memory for `what`; `failure` is an errno.
error no_room(const std::string& what, std::size_t bytes, int failure);

class ShmNode {
 public:
  struct Place {
    int index = 0;           ///< Of this process on the node.
    std::vector<int> ranks;  ///< Rank in the job of each index; its size is the node's.
    int descriptor = -1;     ///< The node's memory file, taken over; see create_job_file.
  };

  /// Opens and maps the memory file. Throws tasuki::error.
  explicit ShmNode(Place place);
  ~ShmNode();
  ShmNode(const ShmNode&) = delete;
  ShmNode& operator=(const ShmNode&) = delete;

  void start();
  void stop() noexcept;

  int index() const noexcept { return place_.index; }
  int size() const noexcept { return static_cast<int>(place_.ranks.size()); }
  const Counters& counters() const noexcept { return counters_; }
  std::size_t message_max_bytes() const noexcept;
  std::size_t bulk_header_max_bytes() const noexcept;
  /// Can private memory of at least one peer be read and written?
  bool reads_private() const noexcept;
  /// Can that of all peers be read?
  bool reads_all_private() const noexcept;
  /// Are the node's ranks more than the cores that they may use, all together?
  bool shares_cores() const noexcept { return shares_cores_; }

  std::byte* acquire(int index, std::size_t bytes) {
    return opened(at(index)).writer.acquire(bytes);
  }
  void commit(int index, std::size_t bytes) {
    Outbound& outbound = outbound_[at(index)];
    if (bytes == 0) return outbound.writer.cancel();
    publish(outbound, {static_cast<std::uint32_t>(bytes), RingKind::message, 0});
    ++counters_.sends;
    counters_.bytes_sent += bytes;
  }

  bool send_bulk(int index, std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion);
  /// Tokens of a node are less than 2^32.
  void accept(std::uint64_t token, std::byte* destination, Completion* completion);

  bool poll(Arrival& arrival) {
    ++counters_.probes;
    if (work_due_) [[unlikely]]
      do_due_work();
    if (has_new_openers()) [[unlikely]]
      take_openers();
    std::size_t from = next_inbound_;
    for (std::size_t left = inbound_count_; left > 0; --left) {
      if (inbound_[from].reader.arrived() && take(arrival, from)) return true;
      if (++from == inbound_count_) from = 0;
    }
    return false;
  }
  void release(const Arrival&) { release_ring(inbound_[arrival_from_], arrival_bytes_); }
  void progress();
  void wait(std::uint64_t idle_count, std::int64_t most_us);
  void notify(int index) noexcept { outbound_[at(index)].bell->ring(wake_order_); }

  const HeapSegment& heap() const noexcept { return heap_.segment(); }
  bool grow_heap(std::size_t bytes);
  std::byte* map(int index, std::uintptr_t address, std::size_t bytes) noexcept {
    const Peer& peer = peers_[at(index)];
    const std::uintptr_t offset = address - peer.heap_base;
    if (offset > peer.heap_bytes || bytes > peer.heap_bytes - offset) [[unlikely]] {
      return map_grown(index, offset, bytes);
    }
    return peer.heap + offset;
  }
  bool put_private(int index, std::uintptr_t address, std::span<const std::byte> data);
  bool get_private(int index, std::uintptr_t address, std::span<std::byte> data);

  std::byte* shared_scratch() const noexcept { return file_.at(file_.layout().scratch_offset()); }
  std::size_t shared_scratch_bytes() const noexcept { return file_.layout().scratch_bytes(); }

  /// Tells the other ranks of the node that the job is over; they end at their next wait.
  void announce_abort(int exit_code) noexcept { announce_abort(exit_code, index()); }

 private:
  struct Outbound {
    RingWriter writer;
    Doorbell* bell = nullptr;
    bool is_open = false;  ///< The ring has memory, and the reader looks at it.
  };
  struct Inbound {
    RingReader reader;
    int index = 0;   ///< Of the writer.
    int source = 0;  ///< Its rank in the job.
  };
  struct Peer {
    std::byte* heap = nullptr;     ///< Its heap as mapped here.
    std::uintptr_t heap_base = 0;  ///< Its heap as mapped there.
    std::size_t heap_bytes = 0;    ///< Committed, when last looked.
    PrivateCopy private_copy;
    std::unique_ptr<BulkBooks> books;  ///< If there has been a bulk transfer.
  };

  static std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }
  RankRecord& record(int index) const noexcept { return file_.record(index); }

  void publish(Outbound& outbound, RingHeader header) noexcept {
    outbound.writer.commit(header);
    outbound.bell->ring(wake_order_);
  }
  void hand_out(Arrival& arrival, const Inbound& inbound, RingHeader header,
                std::size_t skipped_bytes) {
    arrival.kind = ArrivalKind::message;
    arrival.source = inbound.source;
    arrival.bytes = {inbound.reader.payload() + skipped_bytes, header.bytes - skipped_bytes};
    arrival_from_ = static_cast<std::size_t>(&inbound - inbound_.data());
    arrival_bytes_ = header.bytes;
    ++counters_.receives;
    ++counters_.received_in_place;
    counters_.bytes_received += header.bytes;
    if (armed_) [[unlikely]]
      disarm();
  }
  /// So many more bytes have been brought to where they belong.
  void note_copy(BulkInbox::Incoming& incoming, std::size_t bytes) noexcept {
    if (incoming.received_bytes == 0 && bytes != 0) ++counters_.received_copied;
    incoming.received_bytes += bytes;
    counters_.bytes_copied += bytes;
  }
  /// Takes the next message of a ring. Returns: is it an arrival for the caller?
  bool take(Arrival& arrival, std::size_t from) {
    Inbound& inbound = inbound_[from];
    const RingHeader header = inbound.reader.peek();
    // The next poll begins with the next ring, so that none can shut out the others.
    next_inbound_ = from + 1 == inbound_count_ ? 0 : from + 1;
    if (header.kind != RingKind::message) [[unlikely]] {
      return take_internal(arrival, inbound, header);
    }
    hand_out(arrival, inbound, header, 0);
    return true;
  }
  void release_ring(Inbound& inbound, std::size_t bytes) {
    // The writer may be asleep because the ring was full.
    if (inbound.reader.release(bytes)) outbound_[at(inbound.index)].bell->ring(wake_order_);
  }

  // Rings are opened by their writers at the first message, so that a rank takes memory for those
  // that it talks with, and looks at their rings only.
  Outbound& opened(std::size_t index) {
    Outbound& outbound = outbound_[index];
    if (!outbound.is_open) [[unlikely]]
      open_ring(outbound, static_cast<int>(index));
    return outbound;
  }
  void open_ring(Outbound& outbound, int reader);
  bool has_new_openers() const noexcept {
    return opened_count_->load(std::memory_order_relaxed) != seen_opened_count_;
  }
  void take_openers();
  BulkBooks& books(std::size_t index) {
    std::unique_ptr<BulkBooks>& found = peers_[index].books;
    if (found == nullptr) [[unlikely]]
      found = std::make_unique<BulkBooks>();
    return *found;
  }

  std::byte* map_grown(int index, std::uintptr_t offset, std::size_t bytes) noexcept;

  // start (shm_node_start.cpp)
  void join();
  void fill_record(RankRecord& mine);
  void await_others();
  void check_builds() const;
  /// The time that the ranks of the node use, of that of the cores they may run on.
  CpuShare share_of_ranks(std::size_t usable_cores) const;
  void connect();
  [[noreturn]] void give_up(error why);

  // bulk
  bool take_internal(Arrival& arrival, Inbound& inbound, RingHeader header);
  void take_control(std::size_t from, BulkControl control);
  void take_fragment(Inbound& inbound, RingHeader header);
  void pull(std::size_t from, unsigned slot);
  PrivateCopy::Outcome copy_piece(std::size_t from, BulkInbox::Incoming& incoming);
  bool settle(std::size_t index);
  bool send_fragments(std::size_t index);
  void do_due_work();
  void say_private_copy_is_forbidden() noexcept;

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
  std::vector<Inbound> inbound_;    ///< In the order in which they were seen to be open.
  std::vector<Outbound> outbound_;  ///< By index of the reader, the own one included.
  std::vector<int> opened_;         ///< Indices of the readers whose rings are open.
  const std::atomic<std::uint32_t>* opened_count_ = nullptr;  ///< The own record's.
  std::uint32_t seen_opened_count_ = 0;
  std::vector<std::uint64_t> taken_openers_;
  std::vector<Peer> peers_;
  Counters counters_;
  IdlePolicy idle_;
  bool shares_cores_ = false;
  std::int64_t next_check_ns_ = 0;
  int last_watched_ = 0;  ///< Index of the peer that was last asked for its life.
  bool holds_lifeline_ = false;
  std::uint64_t probe_value_ = 0;
};

}  // namespace tasuki::transport::shm
