#include "transport/shm/shm_node.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <functional>
#include <utility>

#include "base/early_exit.hpp"
#include "transport/shm/node_peer.hpp"

namespace tasuki::transport::shm {
namespace {

/// Longest nap: a sleep that is armed without a barrier for the writers, which costs each of them
/// an interrupt. A ring may be missed, in the rare case that the writer's last store was still on
/// its way, so a nap is short; who naps in vain sleeps properly. Ranks that share cores and wait
/// for many rings in a row need half the time (`tasuki bench collectives -n 8`, 1 MiB).
constexpr std::int64_t nap_us = 200;

/// A sleeper checks the lives of so many peers at a time, and the next ones the next time: all of a
/// small node, constant time on a large one. There the ranks begin at different peers, so that some
/// of them check each.
constexpr int watched_at_once = 8;

}  // namespace

ShmNode::ShmNode(Place place, Counters& counters)
    : place_(std::move(place)),
      counters_(counters),
      file_(place_.descriptor, Layout::from_settings(static_cast<int>(place_.ranks.size()))),
      heap_(file_, place_.index),
      opened_count_(&record(index()).opened_count),
      last_watched_(place_.index) {}

ShmNode::~ShmNode() {
  if (holds_lifeline_) record(index()).lifeline.let_go();
}

Lane* ShmNode::lane(int rank) const noexcept { return by_rank_[at(rank)]; }

Capabilities ShmNode::capabilities() const noexcept {
  Capabilities can;
  can.message_max_bytes = message_max_bytes();
  can.bulk_header_max_bytes = can.message_max_bytes - sizeof(BulkAnnouncement);
  can.shares_cores = shares_cores_;
  can.reads_private =
      size() == place_.job_size && std::all_of(peers_.begin(), peers_.end(), [&](const Peer& peer) {
        return peer.index() == index() || peer.private_copy().is_permitted();
      });
  return can;
}

// ---- arrivals ----------------------------------------------------------------------------------

bool ShmNode::poll(Arrival& arrival) {
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

/// Takes the next message of a ring. Returns: is it an arrival for the caller?
inline bool ShmNode::take(Arrival& arrival, std::size_t from) {
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

inline void ShmNode::hand_out(Arrival& arrival, const Inbound& inbound, RingHeader header,
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

bool ShmNode::take_internal(Arrival& arrival, Inbound& inbound, RingHeader header) {
  if (header.kind == RingKind::none) return false;  // there was only a skip
  if (armed_) disarm();
  Peer& from = *inbound.peer;
  const std::byte* const payload = inbound.reader.payload();
  switch (header.kind) {
    case RingKind::bulk: {
      BulkAnnouncement announcement;
      std::memcpy(&announcement, payload, sizeof announcement);
      hand_out(arrival, inbound, header, sizeof announcement);
      counters_.bytes_received -= sizeof announcement;
      arrival.kind = ArrivalKind::bulk;
      arrival.bulk_bytes = announcement.bytes;
      arrival.bulk_token = from.note_announced(header.slot, announcement);
      return true;
    }
    case RingKind::control: {
      BulkControl control;
      std::memcpy(&control, payload, sizeof control);
      release_ring(inbound, header.bytes);
      from.take_control(control);
      return false;
    }
    case RingKind::fragment:
      from.take_fragment(inbound, header);
      return false;
    default:
      TASUKI_ASSERT(!"a known kind of message");
      return false;
  }
}

void ShmNode::release(const Arrival&) { release_ring(inbound_[arrival_from_], arrival_bytes_); }

void ShmNode::take_openers() {
  seen_opened_count_ = opened_count_->load(std::memory_order_acquire);
  const auto openers = file_.openers(index());
  for (std::size_t word = 0; word < openers.size(); ++word) {
    std::uint64_t fresh = openers[word].load(std::memory_order_relaxed) & ~taken_openers_[word];
    taken_openers_[word] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      const int writer = static_cast<int>(word) * 64 + std::countr_zero(fresh);
      Peer& peer = peers_[at(writer)];
      inbound_.push_back({RingReader(file_.ring(index(), writer)), &peer, peer.rank()});
    }
  }
  inbound_count_ = inbound_.size();
}

void ShmNode::progress() {
  ++counters_.probes;
  if (work_due_) do_due_work();
  if (has_new_openers()) take_openers();
  for (Inbound& inbound : inbound_) {
    const RingHeader header = inbound.reader.peek();
    if (header.kind != RingKind::control && header.kind != RingKind::fragment) continue;
    Arrival none;
    take_internal(none, inbound, header);
  }
}

void ShmNode::do_due_work() {
  bool all_done = true;
  for (Peer& peer : peers_) all_done &= peer.do_due_work();
  // A completion may have made new work due: check again at the next call.
  if (all_done) {
    work_due_ = std::any_of(peers_.begin(), peers_.end(), std::mem_fn(&Peer::has_due_work));
  }
}

// ---- memory ------------------------------------------------------------------------------------

std::byte* ShmNode::map(int rank, std::uintptr_t address, std::size_t bytes) noexcept {
  Peer* const peer = by_rank_[at(rank)];
  return peer != nullptr ? peer->map(address, bytes) : nullptr;
}

bool ShmNode::put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) {
  Peer* const peer = by_rank_[at(rank)];
  return peer != nullptr && peer->check(peer->private_copy().write(address, data),
                                        "writing to private memory", address, data.size());
}

bool ShmNode::get_private(int rank, std::uintptr_t address, std::span<std::byte> data) {
  Peer* const peer = by_rank_[at(rank)];
  return peer != nullptr && peer->check(peer->private_copy().read(address, data),
                                        "reading private memory", address, data.size());
}

void ShmNode::say_private_copy_is_forbidden() noexcept {
  // Once per node, and not to somebody who has switched it off.
  if (!base::setting::cma.flag() || file_.header().cma_notice.exchange(1) != 0) return;
  base::report("process_vm_readv is not permitted here; private data are copied twice");
}

bool ShmNode::grow_heap(std::size_t bytes) {
  const bool grown = heap_.grow(bytes);
  record(index()).heap_committed_bytes.store(heap().committed_bytes, std::memory_order_release);
  return grown;
}

std::span<std::byte> ShmNode::shared_scratch() noexcept {
  if (size() != place_.job_size) return {};
  return {file_.at(file_.layout().scratch_offset()), file_.layout().scratch_bytes()};
}

// ---- waiting -----------------------------------------------------------------------------------

void ShmNode::wait(std::uint64_t idle_count, std::int64_t most_us) {
  if (pulls_count_ != 0) return;  // the next poll goes on with them
  const IdlePolicy::Step step = idle_.next(idle_count);
  if (step == IdlePolicy::Step::poll) return;
  if (step != IdlePolicy::Step::sleep && armed_) disarm();
  end_if_aborted();
  if (work_due_) {
    do_due_work();
    if (!work_due_) return;  // what was completed may let a fiber run
  }
  if (idle_.pass(step)) sleep(most_us);
}

/// Sleeping takes two calls: the first arms the doorbell and lets the caller poll once more the
/// memory that only the caller knows; the second sleeps. A rank that was woken naps first.
void ShmNode::sleep(std::int64_t most_us) {
  Doorbell& bell = record(index()).doorbell;
  if (!armed_) {
    bell.arm(naps_ ? WakeOrder::by_writer_fence : wake_order_);
    armed_ = true;
    return;
  }
  armed_ = false;
  if (most_us <= 0 || something_to_do()) {
    bell.disarm();
    return;
  }
  naps_ = bell.sleep(std::min(most_us, naps_ ? nap_us : check_interval_us));
  const std::int64_t now_ns = base::now_ns();
  if (now_ns < next_check_ns_) return;
  next_check_ns_ = now_ns + check_interval_us * 1000;
  end_if_peer_died();
}

void ShmNode::disarm() noexcept {
  record(index()).doorbell.disarm();
  armed_ = false;
}

bool ShmNode::something_to_do() const noexcept {
  const auto has_arrived = [](const Inbound& inbound) { return inbound.reader.arrived(); };
  const auto has_room_again = [](const Peer* reader) { return reader->has_room_again(); };
  return has_new_openers() || std::any_of(inbound_.begin(), inbound_.end(), has_arrived) ||
         std::any_of(opened_.begin(), opened_.end(), has_room_again);
}

void ShmNode::end_if_aborted() const noexcept {
  const std::uint32_t code = file_.header().abort_code.load(std::memory_order_acquire);
  if (code == 0) [[likely]]
    return;
  base::allow_exit();
  std::fflush(nullptr);
  ::_exit(static_cast<int>(code - 1));
}

void ShmNode::end_if_peer_died() noexcept {
  const int dead = find_dead_peer();
  if (dead < 0) return;
  end_if_aborted();  // the dead one may have ended the job itself since our last check
  base::report(fmt::format("rank {} (pid {}) has ended before the job was done",
                           place_.ranks[at(dead)], record(dead).pid));
  announce_abort(base::exit_code::failed, dead);
  base::allow_exit();
  std::fflush(nullptr);
  ::_exit(base::exit_code::failed);
}

int ShmNode::find_dead_peer() noexcept {
  for (int left = std::min(size() - 1, watched_at_once); left > 0; --left) {
    do {
      last_watched_ = last_watched_ + 1 == size() ? 0 : last_watched_ + 1;
    } while (last_watched_ == index());
    RankRecord& theirs = record(last_watched_);
    const auto state = static_cast<RankState>(theirs.state.load(std::memory_order_acquire));
    if (state == RankState::absent || state == RankState::finished) continue;
    if (!theirs.lifeline.is_cut()) continue;
    // It may have finished in between.
    if (theirs.state.load(std::memory_order_acquire) !=
        static_cast<std::uint32_t>(RankState::finished)) {
      return last_watched_;
    }
  }
  return -1;
}

void ShmNode::announce_abort(int exit_code, int failed_index) noexcept {
  std::uint32_t nobody = 0;
  file_.header().first_failed.compare_exchange_strong(
      nobody, static_cast<std::uint32_t>(failed_index) + 1, std::memory_order_acq_rel);
  std::uint32_t none = 0;
  file_.header().abort_code.compare_exchange_strong(none, static_cast<std::uint32_t>(exit_code) + 1,
                                                    std::memory_order_acq_rel);
  ring_all();
}

void ShmNode::ring_all() noexcept {
  for (int other = 0; other < size(); ++other) {
    record(other).doorbell.ring(WakeOrder::by_writer_fence);
  }
}

}  // namespace tasuki::transport::shm
