#include "transport/ucx/endpoint.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <tasuki/error.hpp>

#include "transport/ucx/endpoint_peer.hpp"
#include "transport/watch/host_watch.hpp"

namespace tasuki::transport::ucx {
namespace {

constexpr const char* receiving_bulk = "receiving bulk data over UCX";
/// What a rank may find waiting inside UCX when it has not polled for long, over all peers.
/// A bound on memory, not a matter of speed.
constexpr std::size_t unexpected_most_bytes = std::size_t{32} << 20;
constexpr std::size_t window_most = 256;
constexpr std::size_t window_least = 4;
constexpr std::uint32_t bulk_transfers_most = 64;
/// While there are arrivals to hand up, UCX gets on at each so many polls.
constexpr std::uint64_t polls_per_progress = 16;

/// Steps of UCX in a row. It goes on as long as bulk data move, and arrivals must have their turn
/// meanwhile: each step moves a piece of them.
constexpr int steps_most = 8;

std::uint32_t window_for(int size) {
  const std::size_t fair = unexpected_most_bytes / sizeof(Slot) / static_cast<std::size_t>(size);
  return static_cast<std::uint32_t>(std::clamp(fair, window_least, window_most));
}

/// Two for each rank, and a few more; a bound on memory where ranks are very many.
std::size_t slots_most_for(int size) {
  constexpr std::size_t least_count = 72;
  constexpr std::size_t most_count = 4096;
  return std::clamp(2 * static_cast<std::size_t>(size) + 8, least_count, most_count);
}

void sleep_us(std::int64_t time_us) {
  const timespec time{0, static_cast<long>(time_us * 1000)};
  ::nanosleep(&time, nullptr);
}

}  // namespace

Endpoint::Endpoint(int rank, int size, bool shares_cores, Counters& counters)
    : functions_(functions()),
      rank_(rank),
      counters_(counters),
      window_(window_for(size)),
      bulk_most_(std::min(bulk_transfers_most, window_ / 2)),
      worker_(static_cast<std::size_t>(size)),
      slots_(slots_most_for(size)),
      posted_receives_(worker_),
      idle_(shm::IdlePolicy::from_settings(shares_cores)) {
  peers_.reserve(static_cast<std::size_t>(size));
  for (int other = 0; other < size; ++other) peers_.emplace_back(*this, other);
  worker_.handle_active_messages(frame_id, &Endpoint::on_frame, this);
}

Endpoint::~Endpoint() { close(); }

Lane& Endpoint::lane(int rank) noexcept { return peer(rank); }

void Endpoint::close() {
  is_closing_ = true;
  posted_receives_.close();
  for (Peer& other : peers_) other.close();
}

// ---- ways that are not there yet ---------------------------------------------------------------

void Endpoint::take_addresses() {
  try {
    open_ways();
  } catch (const error&) {
    // The poller then ends the rank, and says what it has waited for.
    if (vanished_hosts() == nullptr) throw;
  }
}

void Endpoint::open_ways() {
  while (const auto published = wireup_->take_answer()) {
    Peer& to = peer(published->rank);
    --asked_count_;
    to.open_way(published->bytes);
    to.post_held();
    if (to.end_waiting_apart()) credit_due_.push_back(&to);
  }
}

/// Where a host has vanished, the poller ends the rank, and says more.
void Endpoint::refuse_unreachable() {
  if (vanished_hosts() != nullptr) return;
  const auto found = opening_ways_.find_unreachable();
  if (!found) return;
  const std::string host = wireup_->await_word_about(found->rank);
  if (vanished_hosts() != nullptr) return;
  const std::string who = found->is_certain ? fmt::format("rank {}{}", found->rank,
                                                          host.empty() ? "" : " on host " + host)
                                            : "a rank";
  throw error(
      "connecting over UCX",
      fmt::format("{} cannot be reached: at {} nothing has answered for {:g} s", who, found->place,
                  found->time_s),
      "see that no firewall keeps the hosts apart (UCX_TCP_PORT_RANGE=FIRST-LAST says which ports "
      "ranks use), that UCX uses a network that they share (UCX_NET_DEVICES), and that the rank is "
      "not stopped, nor its host's queue of connections too short (net.core.somaxconn)");
}

// ---- progress ----------------------------------------------------------------------------------

void Endpoint::advance() {
  progress_worker();
  if (failure_ != UCS_OK) [[unlikely]]
    refuse_failure();
  run_completed();
  take_arrived_posted();
}

void Endpoint::advance_in_leaving() {
  progress_worker();
  if (failure_ != UCS_OK) return;
  run_completed();
  take_arrived_posted();
}

void Endpoint::progress_worker() {
  if (asked_count_ != 0) [[unlikely]]
    take_addresses();
  if (opening_ways_.any()) [[unlikely]]
    refuse_unreachable();
  // A step that brings frames is the last one, as the next would ask the kernel before they are
  // handed up. When they are, the poller comes back, and so does the next step.
  const std::size_t waiting_count = arrived_.size();
  for (int step = 0; step < steps_most && worker_.progress(); ++step) {
    if (arrived_.size() != waiting_count) break;
  }
  if (slots_.failure() != UCS_OK) fail("sending over UCX", slots_.failure());
  if (posted_receives_.failure() != UCS_OK) fail(receiving_bulk, posted_receives_.failure());
}

/// Tells what UCX has told inside its progress.
void Endpoint::run_completed() {
  std::vector<Completion*>& sent = slots_.completed();
  while (!sent.empty()) {
    Completion* const completion = sent.front();
    sent.erase(sent.begin());
    has_moved_ = true;
    complete(completion);
  }
  while (!received_.empty()) {
    Incoming& incoming = *received_.back();
    received_.pop_back();
    finish_incoming(incoming);
  }
}

void Endpoint::take_arrived_posted() {
  while (const PostedReceives::PostedReceive* const receive = posted_receives_.take()) {
    has_moved_ = true;
    ++counters_.receives;
    counters_.bytes_received += receive->destination.size();
    peer(receive->source).owe_bulk();
    complete(receive->arrived);
  }
}

void Endpoint::fail(const char* operation, ucs_status_t status, int rank) noexcept {
  if (is_closing_ || failure_ != UCS_OK) return;
  failed_operation_ = operation;
  failure_ = status;
  failed_rank_ = rank;
}

void Endpoint::refuse_failure() const {
  // The runtime then says more than UCX knows; and the launcher, if it is the rank that has ended.
  if (watch::HostWatch::await_verdict()) return;
  if (failed_rank_ < 0) check(failure_, failed_operation_);
  throw error(failed_operation_,
              fmt::format("rank {} cannot be reached any more (UCX reports: {})", failed_rank_,
                          functions_.status_string(failure_)),
              "see what that rank has printed, and whether its host and the network are up");
}

void Endpoint::progress() {
  if (anything_due()) [[unlikely]]
    send_due();
  advance();
}

void Endpoint::wait(std::uint64_t idle_count, std::int64_t most_us) {
  if (std::exchange(has_moved_, false)) idle_.restart();
  // A rank that takes nothing in for now (it has too many fibers) counts its polls, not its naps.
  if (has_arrival()) return;
  if (idle_.pass(idle_.next(idle_count))) {
    sleep_us(std::clamp<std::int64_t>(most_us, 0, sleep_most_us));
  }
}

/// Credits for a rank to which there is no way wait apart from the others, and take no slot: its
/// address may come late, or never.
void Endpoint::send_due() {
  while (!credit_due_.empty()) {
    Peer& to = *credit_due_.back();
    if (!to.has_way()) {
      to.ask_for_way();
      to.wait_apart();
      credit_due_.pop_back();
      continue;
    }
    const bool is_owed = to.is_owed();
    const std::int32_t slot = is_owed ? slots_.take_reserved() : SendSlots::none;
    if (is_owed && slot == SendSlots::none) return;
    credit_due_.pop_back();
    to.end_credit_due();
    if (is_owed) to.send_credits(slot);
  }
}

// ---- receiving frames --------------------------------------------------------------------------

ucs_status_t Endpoint::on_frame(void* self, const void* header, std::size_t header_bytes,
                                void* data, std::size_t bytes, const ucp_am_recv_param_t* how) {
  const bool is_rendezvous = (how->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0;
  return static_cast<Endpoint*>(self)->take_frame(
      {static_cast<const std::byte*>(header), header_bytes}, data, bytes, is_rendezvous);
}

/// Returns: does the endpoint keep the data?
ucs_status_t Endpoint::take_frame(std::span<const std::byte> bytes_of_header, void* data,
                                  std::size_t bytes, bool is_rendezvous) {
  FrameHeader header;
  std::memcpy(&header, bytes_of_header.data(), sizeof header);
  const auto source = static_cast<int>(header.source);
  Peer& from = peer(source);
  from.take_credits(header);
  ++traffic_.taken;
  if (header.kind == FrameKind::credit) return UCS_OK;
  Arrived arrived{header.kind, source, data, bytes, 0};
  if (header.kind == FrameKind::bulk) {
    arrived.bulk =
        note_announced(source, bytes_of_header.subspan(sizeof header), data, bytes, is_rendezvous);
  }
  from.order().put(header.sequence, arrived,
                   [&](const Arrived& next) { arrived_.push_back(next); });
  return bytes == 0 ? UCS_OK : UCS_INPROGRESS;
}

std::uint32_t Endpoint::note_announced(int source, std::span<const std::byte> header, void* data,
                                       std::size_t bytes, bool is_rendezvous) {
  if (free_incoming_.empty()) {
    free_incoming_.push_back(static_cast<std::uint32_t>(incoming_.size()));
    incoming_.emplace_back();
    received_.reserve(incoming_.size());
    free_incoming_.reserve(incoming_.size());
  }
  const std::uint32_t index = free_incoming_.back();
  free_incoming_.pop_back();
  Incoming& incoming = incoming_[index];
  incoming.endpoint = this;
  incoming.index = index;
  incoming.is_released = false;
  incoming.is_received = false;
  incoming.source = source;
  incoming.data = data;
  incoming.bytes = bytes;
  incoming.is_rendezvous = is_rendezvous;
  incoming.header.assign(header.begin(), header.end());
  return index;
}

bool Endpoint::poll(Arrival& arrival) {
  ++counters_.probes;
  if (anything_due()) [[unlikely]]
    send_due();
  if (arrived_.empty() || ++polls_ % polls_per_progress == 0) advance();
  if (arrived_.empty()) return false;
  const Arrived& next = arrived_.front();
  arrival = {ArrivalKind::message, next.source,
             std::span(static_cast<const std::byte*>(next.data), next.bytes), 0, 0};
  if (next.kind == FrameKind::bulk) {
    arrival.kind = ArrivalKind::bulk;
    arrival.bytes = incoming_[next.bulk].header;
    arrival.bulk_bytes = next.bytes;
    arrival.bulk_token = next.bulk;
  }
  ++counters_.receives;
  ++counters_.received_in_place;
  counters_.bytes_received += arrival.bytes.size() + arrival.bulk_bytes;
  return true;
}

void Endpoint::release(const Arrival& arrival) {
  if (arrival.kind == ArrivalKind::message) {
    functions_.am_data_release(worker_.get(), arrived_.front().data);
  } else {
    Incoming& incoming = incoming_[arrived_.front().bulk];
    incoming.is_released = true;
    give_back_if_done(incoming);
  }
  arrived_.pop_front();
  peer(arrival.source).owe_frame();
}

// ---- receiving bulk data -----------------------------------------------------------------------

void Endpoint::receive_bulk(Incoming& incoming, std::byte* destination) {
  if (!incoming.is_rendezvous) {
    if (incoming.bytes != 0) {
      std::memcpy(destination, incoming.data, incoming.bytes);
      functions_.am_data_release(worker_.get(), incoming.data);
      ++counters_.received_copied;
      counters_.bytes_copied += incoming.bytes;
    }
    return finish_incoming(incoming);
  }
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.cb.recv_am = &Endpoint::on_received;
  parameters.user_data = &incoming;
  void* const request = functions_.am_recv_data_nbx(worker_.get(), incoming.data, destination,
                                                    incoming.bytes, &parameters);
  if (UCS_PTR_IS_PTR(request)) return;
  check(UCS_PTR_STATUS(request), receiving_bulk);
  finish_incoming(incoming);
}

void Endpoint::on_received(void* request, ucs_status_t status, std::size_t /*bytes*/,
                           void* argument) {
  auto& incoming = *static_cast<Incoming*>(argument);
  Endpoint& endpoint = *incoming.endpoint;
  endpoint.functions_.request_free(request);
  if (status != UCS_OK) return endpoint.fail(receiving_bulk, status);
  endpoint.received_.push_back(&incoming);
}

void Endpoint::finish_incoming(Incoming& incoming) {
  has_moved_ = true;
  Completion* const completion = std::exchange(incoming.completion, nullptr);
  if (incoming.bytes != 0) peer(incoming.source).owe_bulk();
  incoming.is_received = true;
  give_back_if_done(incoming);
  complete(completion);
}

void Endpoint::give_back_if_done(Incoming& incoming) {
  if (incoming.is_released && incoming.is_received) free_incoming_.push_back(incoming.index);
}

}  // namespace tasuki::transport::ucx
