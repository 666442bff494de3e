#include "transport/mpi/endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tasuki/error.hpp>
#include <utility>

#include "transport/mpi/endpoint_peer.hpp"
#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {
namespace {

/// What a rank may find waiting inside MPI when it has not polled for long, over all peers.
/// A bound on memory, not a matter of speed.
constexpr std::size_t unexpected_most_bytes = std::size_t{32} << 20;
constexpr std::size_t window_most = 256;
constexpr std::size_t window_least = 4;
/// Bulk transfers started ahead per pair: data that MPI sends eagerly may wait inside the
/// receiver's MPI. Streams of 16 KiB over Open MPI reach 0.88 of the rate of MPI_Send with 4, 0.93
/// with 16 and with 64 (`tasuki bench micro --mpi ompi --only mpi_write_16KB`).
constexpr std::uint32_t early_transfers_most = 64;
/// The same streams take the same with 1, 16 and 256.
constexpr std::uint64_t polls_per_transfer_test = 16;
/// SimGrid (3.32) keeps a receive that MPI_Test has completed in a list of its rank for ever, and
/// searches the list at each later wait and computation: 40,000 of them make a run of 1 s take 400.
/// So in simulation `block` is to complete them, and only a rank that is never idle tests.
constexpr std::uint64_t simulated_polls_per_test = 64;

std::uint32_t window_for(int size) {
  const auto ranks = static_cast<std::size_t>(size);
  const std::size_t fair = unexpected_most_bytes / frame_most_bytes / ranks;
  return static_cast<std::uint32_t>(std::clamp(fair, window_least, window_most));
}

/// Two for each rank, and a few more; a bound on memory where ranks are very many.
std::size_t slots_most_for(int size) {
  constexpr std::size_t least_count = 72;
  constexpr std::size_t most_count = 4096;
  return std::clamp((2 * static_cast<std::size_t>(size) + 15) / 8 * 8, least_count, most_count);
}

template <class T>
T read_as(const std::byte* bytes) noexcept {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace

Endpoint::Endpoint(const Functions& functions, const Job& job, bool shares_cores,
                   Counters& counters)
    : functions_(functions),
      job_(job),
      window_(window_for(job.size)),
      early_most_(std::min(early_transfers_most, window_ / 2)),
      tag_count_(static_cast<std::uint32_t>(job.tag_most - first_bulk_tag)),
      // In simulation one piece alone: SimGrid matches a message with a receive when it is sent.
      pieces_ahead_(job.is_simulated ? 1 : pieces_ahead_most),
      slots_(functions, job.communicator, slots_most_for(job.size)),
      ring_(std::in_place, functions, job.communicator),
      outgoing_(transfers_per_peer * static_cast<std::size_t>(job.size)),
      incoming_(transfers_per_peer * static_cast<std::size_t>(job.size)),
      posted_receives_(functions, job.bulk_communicator),
      idle_(shm::IdlePolicy::from_settings(shares_cores)),
      counters_(counters) {
  peers_.reserve(static_cast<std::size_t>(job.size));
  for (int rank = 0; rank < job.size; ++rank) peers_.emplace_back(*this, rank);
}

Endpoint::~Endpoint() = default;

Lane& Endpoint::lane(int rank) noexcept { return peer(rank); }

// ---- receiving frames --------------------------------------------------------------------------

bool Endpoint::poll(Arrival& arrival) {
  ++counters_.probes;
  ++polls_;
  if (anything_due()) [[unlikely]]
    send_due();
  const bool asks_mpi = !job_.is_simulated || polls_ % simulated_polls_per_test == 0;
  if (asks_mpi && posted_receives_.any()) take_arrived();
  // Transfers come second, but not never.
  if (polls_ % polls_per_transfer_test == 0) test_transfers(asks_mpi);
  if (find_frame(asks_mpi)) {
    hand_out(arrival);
    return true;
  }
  test_transfers(asks_mpi);
  return false;
}

void Endpoint::progress() {
  if (anything_due()) [[unlikely]]
    send_due();
  if (posted_receives_.any()) take_arrived();
  find_frame(true);
  test_transfers(true);
}

/// Takes the frames that concern only the endpoint, and the credits of the first that does not.
/// Returns: is there such a one? Without `asks_mpi` among those that `block` has seen.
bool Endpoint::find_frame(bool asks_mpi) {
  while (asks_mpi ? ring_->test() : ring_->is_complete()) {
    if (head_is_taken_) return true;
    const std::byte* frame = ring_->frame();
    const auto header = read_as<FrameHeader>(frame);
    peer(ring_->status().source).take_credits(header);
    ++frames_taken_;
    if (header.kind == FrameKind::message || header.kind == FrameKind::bulk) {
      head_is_taken_ = true;
      return true;
    }
    if (header.kind == FrameKind::clearance) {
      const auto index = read_as<std::uint32_t>(frame + sizeof(header));
      outgoing_.activate(index);
      advance_outgoing(index);
    }
    ring_->repost();
  }
  return false;
}

void Endpoint::hand_out(Arrival& arrival) {
  const Status status = ring_->status();
  const std::byte* frame = ring_->frame();
  const std::span payload(frame + sizeof(FrameHeader), status.bytes - sizeof(FrameHeader));
  arrival = {ArrivalKind::message, status.source, payload, 0, 0};
  if (read_as<FrameHeader>(frame).kind == FrameKind::bulk) {
    const auto announcement = read_as<Announcement>(payload.data());
    arrival.kind = ArrivalKind::bulk;
    arrival.bytes = payload.subspan(sizeof(announcement));
    arrival.bulk_bytes = announcement.bytes;
    arrival.bulk_token = peer(status.source).note_announced(announcement);
  }
  ++counters_.receives;
  ++counters_.received_in_place;
  counters_.bytes_received += arrival.bytes.size() + arrival.bulk_bytes;
}

void Endpoint::release(const Arrival& arrival) {
  head_is_taken_ = false;
  ring_->repost();
  peer(arrival.source).owe_frame();
}

void Endpoint::send_due() {
  while (!clearance_due_.empty()) {
    const std::int32_t slot = slots_.take_reserved();
    if (slot == SendSlots::none) return;
    const Clearance clearance = clearance_due_.back();
    clearance_due_.pop_back();
    std::memcpy(slots_.at(slot) + sizeof(FrameHeader), &clearance.transfer,
                sizeof(clearance.transfer));
    clearance.to->post(slot, FrameKind::clearance, sizeof(clearance.transfer));
  }
  while (!credit_due_.empty()) {
    Peer& to = *credit_due_.back();
    const bool is_owed = to.is_owed();
    const std::int32_t slot = is_owed ? slots_.take_reserved() : SendSlots::none;
    if (is_owed && slot == SendSlots::none) return;
    credit_due_.pop_back();
    to.end_credit_due();
    if (is_owed) to.post(slot, FrameKind::credit, 0);
  }
}

// ---- ending -----------------------------------------------------------------------------------

/// Nobody takes it any more, and to wait for that would never end.
void Endpoint::refuse_late_message() {
  throw error("ending the mpi transport",
              fmt::format("a message of rank {} was never received", ring_->status().source),
              "receive all messages before the ranks end");
}

void Endpoint::drain() {
  struct Traffic {
    std::uint64_t sent;
    std::uint64_t taken;
  };
  std::vector<Traffic> all(peers_.size());
  for (;;) {
    if (find_frame(true)) refuse_late_message();
    slots_.reap();
    const Traffic own{frames_sent_, frames_taken_};
    check(functions_, functions_.allgather(job_.communicator, &own, sizeof(own), all.data()),
          "ending the mpi transport");
    const auto sum = std::accumulate(all.begin(), all.end(), Traffic{0, 0},
                                     [](const Traffic& a, const Traffic& b) {
                                       return Traffic{a.sent + b.sent, a.taken + b.taken};
                                     });
    if (sum.sent == sum.taken) break;
  }
  while (!slots_.is_idle()) slots_.reap();
  ring_.reset();
  posted_receives_.close();
}

}  // namespace tasuki::transport::mpi
