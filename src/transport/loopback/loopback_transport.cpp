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
constexpr int posted_receives_most = 16;

}  // namespace

/// The lane to one rank.
class LoopbackTransport::Peer final : public Lane {
 public:
  Peer(LoopbackTransport& own, int rank) noexcept : own_(own), rank_(rank) {}

  std::byte* acquire(std::size_t bytes) override;
  void commit(std::size_t bytes) override;
  bool send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override;
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override;
  int post_receive(std::span<std::byte> destination, Completion* arrived) override;
  int post_single_receive(std::span<std::byte> destination, Completion* arrived) override;
  void post_again(int posted_receive, std::byte* destination) override;
  void take_back(int posted_receive) override;
  bool send_to_posted(int posted_receive, std::span<const std::byte> data,
                      Completion* completion) override;

 private:
  Channel& channel() {
    if (channel_ == nullptr) channel_ = &own_.cluster_.channel(own_.rank_, rank_);
    return *channel_;
  }
  bool may_send(std::size_t bytes);
  void send(Packet packet);

  LoopbackTransport& own_;
  Channel* channel_ = nullptr;  ///< nullptr: nothing has been sent yet.
  int rank_;
};

LoopbackTransport::LoopbackTransport(Cluster& cluster, int rank)
    : OwnMemory(rank, cluster.options().heap_reserve_bytes), cluster_(cluster) {
  const LoopbackOptions& options = cluster.options();
  rank_ = rank;
  arrivals_ = this;
  memory_ = this;
  peers_.reserve(static_cast<std::size_t>(options.rank_count));
  for (int peer = 0; peer < options.rank_count; ++peer) {
    lanes_.push_back(&peers_.emplace_back(*this, peer));
  }
  capabilities_.message_max_bytes = options.message_max_bytes;
  capabilities_.bulk_header_max_bytes = bulk_header_max_bytes;
  capabilities_.reads_private = options.maps_peers;
  capabilities_.posted_least_bytes = 1024;
  capabilities_.posted_most_bytes = std::numeric_limits<std::size_t>::max();
  capabilities_.peers_need_calls = true;
}

LoopbackTransport::~LoopbackTransport() = default;

// ---- sending -----------------------------------------------------------------------------------

std::uint64_t LoopbackTransport::some_time_later() {
  if (cluster_.options().seed == 0) return cluster_.ticks();
  const auto span = delay_most_ticks * static_cast<std::uint64_t>(size());
  return cluster_.ticks() + cluster_.random().below(span);
}

bool LoopbackTransport::refused_at_random() {
  return cluster_.options().seed != 0 && cluster_.random().one_in(sends_per_refusal);
}

/// Is there room for a message of `bytes`?
bool LoopbackTransport::Peer::may_send(std::size_t bytes) {
  const Channel& to = channel();
  TASUKI_ASSERT(to.open.storage == nullptr);
  const bool is_full =
      !to.packets.empty() && to.bytes + bytes > own_.cluster_.options().channel_bytes;
  return !is_full && !own_.refused_at_random();
}

std::byte* LoopbackTransport::Peer::acquire(std::size_t bytes) {
  TASUKI_ASSERT(bytes <= own_.capabilities_.message_max_bytes);
  if (!may_send(bytes)) return nullptr;
  Packet& open = channel().open;
  open.storage = std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(bytes, 1));
  open.bytes = bytes;
  return open.storage.get();
}

void LoopbackTransport::Peer::commit(std::size_t bytes) {
  Packet& open = channel().open;
  TASUKI_ASSERT(open.storage != nullptr && bytes <= open.bytes);
  Packet packet = std::exchange(open, Packet());
  if (bytes == 0) return;
  packet.bytes = bytes;
  own_.counters_.bytes_sent += bytes;
  send(std::move(packet));
}

void LoopbackTransport::Peer::send(Packet packet) {
  own_.cluster_.note_activity();
  ++own_.counters_.sends;
  Channel& to = channel();
  const std::uint64_t earliest = to.packets.empty() ? 0 : to.packets.back().deliver_at;
  packet.deliver_at = std::max(earliest, own_.some_time_later());
  to.bytes += packet.bytes;
  to.packets.push_back(std::move(packet));
}

bool LoopbackTransport::Peer::send_bulk(std::span<const std::byte> header,
                                        std::span<const std::byte> data, Completion* completion) {
  TASUKI_ASSERT(header.size() <= bulk_header_max_bytes);
  if (!may_send(header.size())) return false;
  Packet packet;
  packet.kind = ArrivalKind::bulk;
  packet.storage =
      std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(header.size(), 1));
  packet.bytes = header.size();
  std::copy(header.begin(), header.end(), packet.storage.get());
  const bool copies = own_.attach(packet, data, completion);
  own_.counters_.bytes_sent += header.size() + data.size();
  send(std::move(packet));
  if (copies) complete(completion);
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
  std::map<int, Channel>& inbox = cluster_.inbox(rank_);
  auto next = inbox.lower_bound(next_source_);
  for (std::size_t left = inbox.size(); left > 0; --left, ++next) {
    if (next == inbox.end()) next = inbox.begin();
    auto& [source, channel] = *next;
    if (!arrive_from(source, channel, arrival)) continue;
    next_source_ = (source + 1) % size();
    return true;
  }
  return false;
}

bool LoopbackTransport::arrive_from(int source, Channel& channel, Arrival& arrival) {
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

void LoopbackTransport::Peer::accept(std::uint64_t token, std::byte* destination,
                                     Completion* completion) {
  const auto found = own_.pending_bulk_.find(token);
  TASUKI_ASSERT(found != own_.pending_bulk_.end() && found->second.source == rank_ &&
                found->second.destination == nullptr);
  found->second.destination = destination;
  found->second.received = completion;
  own_.cluster_.note_activity();
  if (own_.cluster_.options().seed == 0) return own_.move_bulk(token);
  own_.due_.push_back({own_.some_time_later(), nullptr, token});
}

int LoopbackTransport::Peer::post_receive(std::span<std::byte> destination, Completion* arrived) {
  return own_.open_receive({rank_, destination, arrived});
}

int LoopbackTransport::Peer::post_single_receive(std::span<std::byte> destination,
                                                 Completion* arrived) {
  return own_.open_receive(
      {.source = rank_, .destination = destination, .arrived = arrived, .is_single = true});
}

int LoopbackTransport::open_receive(PostedReceive posted_receive) {
  const auto free = std::ranges::find(posted_receives_, nullptr, &PostedReceive::arrived);
  const auto number = static_cast<int>(free - posted_receives_.begin());
  if (number == posted_receives_most) return Lane::no_posted_receive;
  if (free == posted_receives_.end()) posted_receives_.emplace_back();
  posted_receives_[static_cast<std::size_t>(number)] = std::move(posted_receive);
  return number;
}

void LoopbackTransport::Peer::post_again(int posted_receive, std::byte* destination) {
  PostedReceive& own = own_.posted_receives_.at(static_cast<std::size_t>(posted_receive));
  TASUKI_ASSERT(own.is_single && !own.is_posted);
  own.destination = {destination, own.destination.size()};
  own.is_posted = true;
  if (own.waiting.empty()) return;
  own_.due_.push_back({own_.some_time_later(), nullptr, own.waiting.front()});
  own.waiting.pop_front();
}

void LoopbackTransport::Peer::take_back(int posted_receive) {
  PostedReceive& own = own_.posted_receives_.at(static_cast<std::size_t>(posted_receive));
  TASUKI_ASSERT(own.is_single && own.waiting.empty());
  own = {};
}

bool LoopbackTransport::Peer::send_to_posted(int posted_receive, std::span<const std::byte> data,
                                             Completion* completion) {
  LoopbackTransport& receiver = own_.cluster_.transport(rank_);
  const PostedReceive& target =
      receiver.posted_receives_.at(static_cast<std::size_t>(posted_receive));
  TASUKI_ASSERT(target.source == own_.rank_ && target.destination.size() == data.size());
  if (own_.refused_at_random()) return false;
  own_.cluster_.note_activity();
  const std::uint64_t token = receiver.next_token_++;
  PendingBulk& pending = receiver.pending_bulk_[token];
  pending.source = own_.rank_;
  pending.posted_receive = posted_receive;
  const bool copies = own_.attach(pending.packet, data, completion);
  ++own_.counters_.sends;
  ++receiver.counters_.receives;
  own_.counters_.bytes_sent += data.size();
  receiver.counters_.bytes_received += data.size();
  receiver.due_.push_back({own_.some_time_later(), nullptr, token});
  if (copies) complete(completion);
  return true;
}

/// Returns: may the data be moved? If not, they wait until their receive is posted again.
bool LoopbackTransport::finds_posted(std::uint64_t token, PendingBulk& pending) {
  if (pending.posted_receive == Lane::no_posted_receive) return true;
  PostedReceive& receive = posted_receives_.at(static_cast<std::size_t>(pending.posted_receive));
  TASUKI_ASSERT(receive.source == pending.source && receive.arrived != nullptr);
  if (!receive.is_posted) {
    receive.waiting.push_back(token);
    return false;
  }
  pending.destination = receive.destination.data();
  pending.received = receive.arrived;
  receive.is_posted = !receive.is_single;
  return true;
}

/// The data move late, so that somebody who reads or overwrites too early is found out.
void LoopbackTransport::move_bulk(std::uint64_t token) {
  const auto found = pending_bulk_.find(token);
  if (!finds_posted(token, found->second)) return;
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
  complete(pending.received);
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
      complete(due.completion);
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

namespace {

/// Besides the messages in it, and the queue's first block.
constexpr base::MemoryAccount channels{"loopback: channels", 0, 0, sizeof(Channel)};

}  // namespace

std::vector<base::MemoryAccount> LoopbackTransport::memory_accounts() {
  return {{"loopback: lanes", 0, sizeof(Peer), 0}, channels};
}

std::vector<base::MemoryUse> LoopbackTransport::memory_uses() const {
  return {{lanes_account, lanes_.size(), 0},
          {memory_accounts().front(), peers_.size(), 0},
          {channels, 0, cluster_.inbox(rank_).size() * sizeof(Channel)}};
}

const HeapSegment* LoopbackTransport::heap_of(int rank) const noexcept {
  const bool shares = rank == rank_ || cluster_.options().maps_peers;
  return shares ? &cluster_.transport(rank).heap() : nullptr;
}

std::span<std::byte> LoopbackTransport::shared_scratch() noexcept {
  return cluster_.shared_scratch();
}

void LoopbackTransport::abort_job(int exit_code) noexcept {
  std::fflush(nullptr);
  ::_exit(exit_code);
}

}  // namespace tasuki::transport::loopback
