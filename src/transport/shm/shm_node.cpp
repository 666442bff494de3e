#include "transport/shm/shm_node.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

#include "base/early_exit.hpp"

namespace tasuki::transport::shm {
namespace {

constexpr int peer_died_exit_code = 70;
constexpr int no_memory_exit_code = 70;
/// Longest nap: a sleep that is armed without a barrier for the writers, which costs each of them
/// an interrupt. A ring may be missed, in the rare case that the writer's last store was still on
/// its way, so a nap is short; who naps in vain sleeps properly. Ranks that share cores and wait
/// for many rings in a row need half the time (`tasuki bench collectives -n 8`, 1 MiB).
constexpr std::int64_t nap_us = 200;

/// So many peers a sleeper asks for their lives at each look, and the next ones at the next: all of
/// a small node, constant time on a large one. There the ranks begin at different peers, so
/// that some of them look at each.
constexpr int watched_at_once = 8;

}  // namespace

ShmNode::ShmNode(Place place)
    : place_(std::move(place)),
      file_(place_.descriptor, Layout::from_settings(static_cast<int>(place_.ranks.size()))),
      heap_(file_, place_.index),
      opened_count_(&record(index()).opened_count),
      last_watched_(place_.index) {}

ShmNode::~ShmNode() {
  if (holds_lifeline_) record(index()).lifeline.let_go();
}

void ShmNode::open_ring(Outbound& outbound, int reader) {
  const Layout& layout = file_.layout();
  const std::size_t offset = layout.ring_offset(reader, index());
  if (const int failure = file_.commit(offset, layout.ring_bytes()); failure != 0) {
    announce_abort(no_memory_exit_code);
    base::die(no_room(fmt::format("the message ring to rank {}", place_.ranks[at(reader)]),
                      layout.ring_bytes(), failure)
                  .what());
  }
  outbound.writer = RingWriter(file_.ring(reader, index()));
  outbound.is_open = true;
  opened_.push_back(reader);
  const auto writer = static_cast<unsigned>(index());
  file_.openers(reader)[writer / 64].fetch_or(std::uint64_t{1} << writer % 64,
                                              std::memory_order_relaxed);
  // Release: who sees this sees the bit. The first message is published, and rings, after it.
  record(reader).opened_count.fetch_add(1, std::memory_order_release);
}

void ShmNode::take_openers() {
  seen_opened_count_ = opened_count_->load(std::memory_order_acquire);
  const auto openers = file_.openers(index());
  for (std::size_t word = 0; word < openers.size(); ++word) {
    std::uint64_t fresh = openers[word].load(std::memory_order_relaxed) & ~taken_openers_[word];
    taken_openers_[word] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      const int writer = static_cast<int>(word) * 64 + std::countr_zero(fresh);
      inbound_.push_back(
          {RingReader(file_.ring(index(), writer)), writer, place_.ranks[at(writer)]});
    }
  }
  inbound_count_ = inbound_.size();
}

std::size_t ShmNode::message_max_bytes() const noexcept { return file_.layout().ring_bytes() / 4; }

std::size_t ShmNode::bulk_header_max_bytes() const noexcept {
  return message_max_bytes() - sizeof(BulkAnnouncement);
}

bool ShmNode::reads_private() const noexcept {
  for (int other = 0; other < size(); ++other) {
    if (other == index() && size() > 1) continue;
    const PrivateCopy& copy = peers_[at(other)].private_copy;
    if (copy.can_read() && copy.can_write()) return true;
  }
  return false;
}

bool ShmNode::reads_all_private() const noexcept {
  for (int other = 0; other < size(); ++other) {
    if (other != index() && !peers_[at(other)].private_copy.can_read()) return false;
  }
  return true;
}

bool ShmNode::grow_heap(std::size_t bytes) {
  const bool grown = heap_.grow(bytes);
  record(index()).heap_committed_bytes.store(heap().committed_bytes, std::memory_order_release);
  return grown;
}

/// `map` for what lies behind the heap's end as it was when last looked.
std::byte* ShmNode::map_grown(int index, std::uintptr_t offset, std::size_t bytes) noexcept {
  Peer& peer = peers_[at(index)];
  peer.heap_bytes = record(index).heap_committed_bytes.load(std::memory_order_acquire);
  return offset <= peer.heap_bytes && bytes <= peer.heap_bytes - offset ? peer.heap + offset
                                                                        : nullptr;
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

void ShmNode::wait(std::uint64_t idle_count, std::int64_t most_us) {
  if (pulls_count_ != 0) return;  // the next poll goes on with them
  const IdlePolicy::Step step = idle_.next(idle_count);
  if (step == IdlePolicy::Step::poll) return;
  if (step != IdlePolicy::Step::sleep && armed_) disarm();
  end_if_aborted();
  if (work_due_) do_due_work();
  switch (step) {
    case IdlePolicy::Step::poll:
      break;
    case IdlePolicy::Step::pause:
      base::cpu_pause();
      break;
    case IdlePolicy::Step::yield:
      idle_.yield();
      break;
    case IdlePolicy::Step::sleep:
      sleep(most_us);
      break;
  }
}

/// Sleeping takes two calls: the first arms the doorbell and lets the caller look once more at the
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
  const auto has_room_again = [this](int reader) {
    const RingWriter& writer = outbound_[at(reader)].writer;
    return writer.starved() && writer.reader_advanced();
  };
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
  end_if_aborted();  // the dead one may have ended the job itself since we looked last
  base::report(fmt::format("rank {} (pid {}) has ended before the job was done",
                           place_.ranks[at(dead)], record(dead).pid));
  announce_abort(peer_died_exit_code, dead);
  base::allow_exit();
  std::fflush(nullptr);
  ::_exit(peer_died_exit_code);
}

int ShmNode::find_dead_peer() noexcept {
  for (int looks = std::min(size() - 1, watched_at_once); looks > 0; --looks) {
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
