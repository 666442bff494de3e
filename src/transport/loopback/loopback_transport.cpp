#include "transport/loopback/loopback_transport.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <tasuki/detail/base/assert.hpp>
#include <utility>

namespace tasuki::transport::loopback {
namespace {

/// With a seed: the longest delay of a message, in ticks per rank.
constexpr std::uint64_t delay_most_ticks = 24;
/// With a seed: one send in so many is refused though there is room.
constexpr std::uint64_t sends_per_refusal = 8;
/// With a seed: bulk data up to this size are sometimes copied by the sender and done at once.
constexpr std::size_t bulk_copy_most_bytes = 64 * 1024;
constexpr std::size_t bulk_header_max_bytes = 512;
constexpr std::size_t posted_receives_most = 4;

void finish(Completion* completion) {
  if (completion != nullptr) completion->done(completion);
}

}  // namespace

LoopbackTransport::LoopbackTransport(Cluster& cluster, int rank)
    : cluster_(cluster), rank_(rank), heap_(cluster.options().heap_reserve_bytes) {
  const LoopbackOptions& options = cluster.options();
  capabilities_.message_max_bytes = options.message_max_bytes;
  capabilities_.bulk_header_max_bytes = bulk_header_max_bytes;
  capabilities_.maps_peers = options.maps_peers;
  capabilities_.reads_private = options.maps_peers;
  capabilities_.reads_all_private = options.maps_peers;
  capabilities_.posted_least_bytes = 1024;
  capabilities_.posted_most_bytes = std::numeric_limits<std::size_t>::max();
  capabilities_.simulated_time = true;  // the peers run only inside calls of the transport
}

bool LoopbackTransport::same_node(int rank) const noexcept {
  return rank == rank_ || cluster_.options().maps_peers;
}

// ---- sending -----------------------------------------------------------------------------------

std::uint64_t LoopbackTransport::some_time_later() {
  if (cluster_.options().seed == 0) return cluster_.ticks();
  const auto span = delay_most_ticks * static_cast<std::uint64_t>(size());
  return cluster_.ticks() + cluster_.random().below(span);
}

bool LoopbackTransport::refused_at_random() {
  return cluster_.options().seed != 0 && cluster_.random().one_in(sends_per_refusal);
}

std::byte* LoopbackTransport::acquire(int rank, std::size_t bytes) {
  TASUKI_ASSERT(rank >= 0 && rank < size() && bytes <= capabilities_.message_max_bytes);
  Channel& channel = cluster_.channel(rank_, rank);
  TASUKI_ASSERT(channel.open.storage == nullptr);
  const bool full =
      !channel.packets.empty() && channel.bytes + bytes > cluster_.options().channel_bytes;
  if (full || refused_at_random()) return nullptr;
  channel.open.storage =
      std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(bytes, 1));
  channel.open.bytes = bytes;
  return channel.open.storage.get();
}

void LoopbackTransport::commit(int rank, std::size_t bytes) {
  Channel& channel = cluster_.channel(rank_, rank);
  TASUKI_ASSERT(channel.open.storage != nullptr && bytes <= channel.open.bytes);
  Packet packet = std::exchange(channel.open, Packet());
  if (bytes == 0) return;
  packet.bytes = bytes;
  counters_.bytes_sent += bytes;
  send(rank, std::move(packet));
}

void LoopbackTransport::send(int rank, Packet packet) {
  cluster_.note_activity();
  ++counters_.sends;
  Channel& channel = cluster_.channel(rank_, rank);
  const std::uint64_t earliest = channel.packets.empty() ? 0 : channel.packets.back().deliver_at;
  packet.deliver_at = std::max(earliest, some_time_later());
  channel.bytes += packet.bytes;
  channel.packets.push_back(std::move(packet));
}

bool LoopbackTransport::send_bulk(int rank, std::span<const std::byte> header,
                                  std::span<const std::byte> data, Completion* completion) {
  TASUKI_ASSERT(rank >= 0 && rank < size() && header.size() <= bulk_header_max_bytes);
  Channel& channel = cluster_.channel(rank_, rank);
  TASUKI_ASSERT(channel.open.storage == nullptr);
  const bool full =
      !channel.packets.empty() && channel.bytes + header.size() > cluster_.options().channel_bytes;
  if (full || refused_at_random()) return false;
  Packet packet;
  packet.kind = ArrivalKind::bulk;
  packet.storage =
      std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(header.size(), 1));
  packet.bytes = header.size();
  std::copy(header.begin(), header.end(), packet.storage.get());
  const bool copies = attach(packet, data, completion);
  counters_.bytes_sent += header.size() + data.size();
  send(rank, std::move(packet));
  if (copies) finish(completion);
  return true;
}

/// Gives the packet its data or, with a seed, sometimes a copy. Returns: is it a copy?
bool LoopbackTransport::attach(Packet& packet, std::span<const std::byte> data,
                               Completion* completion) {
  packet.bulk_data = data;
  packet.bulk_sent = completion;
  const bool copies = cluster_.options().seed != 0 && data.size() <= bulk_copy_most_bytes &&
                      cluster_.random().one_in(2);
  if (!copies) return false;
  packet.bulk_copy =
      std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(data.size(), 1));
  std::copy(data.begin(), data.end(), packet.bulk_copy.get());
  packet.bulk_data = {packet.bulk_copy.get(), data.size()};
  packet.bulk_sent = nullptr;
  return true;
}

// ---- arrivals ----------------------------------------------------------------------------------

bool LoopbackTransport::poll(Arrival& arrival) {
  TASUKI_ASSERT(!handed_out_.has_value());
  ++counters_.probes;
  cluster_.tick(rank_);
  complete_due();
  if (cluster_.options().seed != 0) {
    next_source_ = static_cast<int>(cluster_.random().below(static_cast<std::uint64_t>(size())));
  }
  for (int step = 0; step < size(); ++step) {
    const int source = next_source_;
    next_source_ = (next_source_ + 1) % size();
    if (arrive_from(source, arrival)) return true;
  }
  return false;
}

bool LoopbackTransport::arrive_from(int source, Arrival& arrival) {
  Channel& channel = cluster_.channel(source, rank_);
  if (channel.packets.empty() || channel.packets.front().deliver_at > cluster_.ticks())
    return false;
  cluster_.note_activity();
  handed_out_ = std::move(channel.packets.front());
  channel.packets.pop_front();
  arrival = {handed_out_->kind, source, {handed_out_->storage.get(), handed_out_->bytes}, 0, 0};
  ++counters_.receives;
  ++counters_.received_in_place;
  counters_.bytes_received += handed_out_->bytes;
  if (handed_out_->kind == ArrivalKind::bulk) {
    arrival.bulk_bytes = handed_out_->bulk_data.size();
    arrival.bulk_token = next_token_++;
    counters_.bytes_received += arrival.bulk_bytes;
    PendingBulk& pending = pending_bulk_[arrival.bulk_token];
    pending.source = source;
    pending.packet.bulk_data = handed_out_->bulk_data;
    pending.packet.bulk_sent = handed_out_->bulk_sent;
    pending.packet.bulk_copy = std::move(handed_out_->bulk_copy);
  }
  return true;
}

void LoopbackTransport::release(const Arrival& arrival) {
  TASUKI_ASSERT(handed_out_.has_value() && arrival.bytes.data() == handed_out_->storage.get());
  cluster_.channel(arrival.source, rank_).bytes -= handed_out_->bytes;
  handed_out_.reset();
}

void LoopbackTransport::accept(std::uint64_t token, std::byte* destination,
                               Completion* completion) {
  const auto found = pending_bulk_.find(token);
  TASUKI_ASSERT(found != pending_bulk_.end() && found->second.destination == nullptr);
  found->second.destination = destination;
  found->second.received = completion;
  cluster_.note_activity();
  if (cluster_.options().seed == 0) return move_bulk(token);
  due_.push_back({some_time_later(), nullptr, token});
}

int LoopbackTransport::post_receive(int source, std::span<std::byte> destination,
                                    Completion* arrived) {
  if (posted_receives_.size() == posted_receives_most) return no_posted_receive;
  posted_receives_.push_back({source, destination, arrived});
  return static_cast<int>(posted_receives_.size() - 1);
}

bool LoopbackTransport::send_to_posted(int rank, int posted_receive,
                                       std::span<const std::byte> data, Completion* completion) {
  LoopbackTransport& receiver = cluster_.transport(rank);
  const PostedReceive& target =
      receiver.posted_receives_.at(static_cast<std::size_t>(posted_receive));
  TASUKI_ASSERT(target.source == rank_ && target.destination.size() == data.size());
  if (refused_at_random()) return false;
  cluster_.note_activity();
  const std::uint64_t token = receiver.next_token_++;
  PendingBulk& pending = receiver.pending_bulk_[token];
  pending.source = rank_;
  pending.destination = target.destination.data();
  pending.received = target.arrived;
  const bool copies = attach(pending.packet, data, completion);
  ++counters_.sends;
  ++receiver.counters_.receives;
  counters_.bytes_sent += data.size();
  receiver.counters_.bytes_received += data.size();
  receiver.due_.push_back({some_time_later(), nullptr, token});
  if (copies) finish(completion);
  return true;
}

/// The data move late, so that somebody who looks or overwrites too early is found out.
void LoopbackTransport::move_bulk(std::uint64_t token) {
  const auto found = pending_bulk_.find(token);
  PendingBulk pending = std::move(found->second);
  pending_bulk_.erase(found);
  const std::span<const std::byte> data = pending.packet.bulk_data;
  if (!data.empty()) {
    std::memcpy(pending.destination, data.data(), data.size());
    ++counters_.received_copied;
    counters_.bytes_copied += data.size();
  }
  if (pending.packet.bulk_sent != nullptr) {
    LoopbackTransport& sender = cluster_.transport(pending.source);
    sender.due_.push_back({some_time_later(), pending.packet.bulk_sent, 0});
  }
  finish(pending.received);
}

void LoopbackTransport::complete_due() {
  for (std::size_t i = 0; i < due_.size();) {
    if (due_[i].at > cluster_.ticks()) {
      ++i;
      continue;
    }
    const Due due = due_[i];
    due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(i));
    cluster_.note_activity();
    if (due.completion != nullptr) {
      finish(due.completion);
    } else {
      move_bulk(due.bulk_token);
    }
    i = 0;  // a completion may have added or removed others
  }
}

void LoopbackTransport::progress() {
  cluster_.tick(rank_);
  complete_due();
}

void LoopbackTransport::wait(std::uint64_t /*idle_count*/, std::int64_t most_us) {
  cluster_.wait(rank_, most_us);
  complete_due();
}

void LoopbackTransport::notify(int /*rank*/) noexcept { cluster_.note_activity(); }

// ---- memory ------------------------------------------------------------------------------------

std::byte* LoopbackTransport::map(int rank, std::uintptr_t address, std::size_t bytes) noexcept {
  if (!same_node(rank)) return nullptr;
  return find_in_heap(cluster_.transport(rank).heap(), address, bytes);
}

bool LoopbackTransport::put_private(int rank, std::uintptr_t address,
                                    std::span<const std::byte> data) {
  return same_node(rank) && put_checked(rank, address, data);
}

bool LoopbackTransport::get_private(int rank, std::uintptr_t address, std::span<std::byte> data) {
  return same_node(rank) && get_checked(rank, address, data);
}

std::size_t LoopbackTransport::shared_scratch_bytes() const noexcept {
  return cluster_.shared_scratch() != nullptr ? loopback::shared_scratch_bytes : 0;
}

void LoopbackTransport::abort_job(int exit_code) noexcept {
  std::fflush(nullptr);
  ::_exit(exit_code);
}

}  // namespace tasuki::transport::loopback
