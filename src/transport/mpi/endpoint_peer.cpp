#include "transport/mpi/endpoint_peer.hpp"

#include <algorithm>
#include <cstring>
#include <tasuki/detail/base/assert.hpp>
#include <utility>

namespace tasuki::transport::mpi {

// ---- frames ------------------------------------------------------------------------------------

std::byte* Endpoint::Peer::acquire([[maybe_unused]] std::size_t bytes) {
  TASUKI_DEBUG_ASSERT(bytes <= message_max_bytes && open_ == SendSlots::none);
  if (credits_ == 0) return nullptr;
  open_ = endpoint_.slots_.take();
  return open_ == SendSlots::none ? nullptr : endpoint_.slots_.at(open_) + sizeof(FrameHeader);
}

void Endpoint::Peer::commit(std::size_t bytes) {
  const std::int32_t slot = std::exchange(open_, SendSlots::none);
  TASUKI_DEBUG_ASSERT(slot != SendSlots::none && bytes <= message_max_bytes);
  if (bytes == 0) return endpoint_.slots_.give_back(slot);
  --credits_;
  ++endpoint_.counters_.sends;
  endpoint_.counters_.bytes_sent += bytes;
  post(slot, FrameKind::message, bytes);
}

void Endpoint::Peer::post(std::int32_t slot, FrameKind kind, std::size_t payload_bytes) {
  FrameHeader header;
  header.kind = kind;
  header.frame_credits = static_cast<std::uint16_t>(std::exchange(owed_frames_, 0));
  header.bulk_credits = static_cast<std::uint16_t>(std::exchange(owed_bulk_, 0));
  std::memcpy(endpoint_.slots_.at(slot), &header, sizeof(header));
  ++endpoint_.frames_sent_;
  endpoint_.slots_.send(slot, rank_, sizeof(header) + payload_bytes);
}

/// Credits go back alone only when the other side may run out of them.
void Endpoint::Peer::note_owed() {
  const bool is_due = owed_frames_ >= endpoint_.window_ / 2 ||
                      owed_bulk_ >= std::max(1u, endpoint_.early_most_ / 4);
  if (!is_due || is_credit_due_) return;
  is_credit_due_ = true;
  endpoint_.credit_due_.push_back(this);
}

// ---- bulk data ---------------------------------------------------------------------------------

bool Endpoint::Peer::send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                               Completion* completion) {
  TASUKI_DEBUG_ASSERT(header.size() <= bulk_header_max_bytes);
  TransferTable<Outgoing>& outgoing = endpoint_.outgoing_;
  if (credits_ == 0 || under_way_ == transfers_per_peer || outgoing.is_full()) return false;
  outgoing.make_room();
  const std::int32_t slot = endpoint_.slots_.take();
  if (slot == SendSlots::none) return false;

  Announcement announcement;
  announcement.bytes = data.size();
  const bool is_early = under_way_ < endpoint_.early_most_;
  if (!data.empty()) {
    const int tag = take_bulk_tag();
    announcement.transfer = outgoing.take({data.data(), data.size(), 0, completion, rank_, tag});
    announcement.tag_and_flag = static_cast<std::uint32_t>(tag);
    if (is_early) announcement.tag_and_flag |= Announcement::early_flag;
    ++under_way_;
  }
  std::byte* payload = endpoint_.slots_.at(slot) + sizeof(FrameHeader);
  std::memcpy(payload, &announcement, sizeof(announcement));
  if (!header.empty()) std::memcpy(payload + sizeof(announcement), header.data(), header.size());
  --credits_;
  ++endpoint_.counters_.sends;
  endpoint_.counters_.bytes_sent += header.size() + data.size();
  post(slot, FrameKind::bulk, sizeof(announcement) + header.size());
  if (data.empty()) {
    complete(completion);
  } else if (is_early) {
    endpoint_.start_outgoing(announcement.transfer);
  }
  return true;
}

/// Tags repeat only after more transfers than can be under way between two ranks.
int Endpoint::Peer::take_bulk_tag() noexcept {
  const std::uint32_t number = next_bulk_;
  next_bulk_ = (number + 1) % endpoint_.tag_count_;
  return first_bulk_tag + static_cast<int>(number);
}

std::uint64_t Endpoint::Peer::note_announced(const Announcement& announcement) {
  if (announcement.bytes == 0) return empty_token;
  Incoming incoming;
  incoming.bytes = announcement.bytes;
  incoming.rank = rank_;
  incoming.tag = announcement.tag();
  incoming.transfer = announcement.transfer;
  incoming.is_early = announcement.is_early();
  return endpoint_.incoming_.take(incoming);
}

void Endpoint::Peer::accept(std::uint64_t token, std::byte* destination, Completion* completion) {
  if (token == empty_token) return complete(completion);
  const auto index = static_cast<std::uint32_t>(token);
  Incoming& incoming = endpoint_.incoming_.at(index);
  TASUKI_DEBUG_ASSERT(incoming.rank == rank_ && incoming.destination == nullptr);
  incoming.destination = destination;
  incoming.completion = completion;
  if (!incoming.is_early) endpoint_.clearance_due_.push_back({this, incoming.transfer});
  endpoint_.incoming_.activate(index);
  endpoint_.advance_incoming(index);
  if (!endpoint_.clearance_due_.empty()) endpoint_.send_due();
}

int Endpoint::Peer::post_receive(std::span<std::byte> destination, Completion* arrived) {
  return endpoint_.posted_receives_.open({rank_, destination, arrived});
}

int Endpoint::Peer::post_single_receive(std::span<std::byte> destination, Completion* arrived) {
  // They are taken back, and MPI_Wait of SimGrid (3.32) throws for a receive that was cancelled.
  if (endpoint_.job_.is_simulated) return no_posted_receive;
  return endpoint_.posted_receives_.open({rank_, destination, arrived, true});
}

void Endpoint::Peer::post_again(int posted_receive, std::byte* destination) {
  endpoint_.posted_receives_.post_again(static_cast<std::size_t>(posted_receive), destination);
}

void Endpoint::Peer::take_back(int posted_receive) {
  endpoint_.posted_receives_.take_back(static_cast<std::size_t>(posted_receive));
}

bool Endpoint::Peer::send_to_posted(int posted_receive, std::span<const std::byte> data,
                                    Completion* completion) {
  if (!has_bulk_room()) return false;
  ++under_way_;
  ++endpoint_.counters_.sends;
  endpoint_.counters_.bytes_sent += data.size();
  endpoint_.start_outgoing(endpoint_.outgoing_.take(
      {data.data(), data.size(), 0, completion, rank_, first_posted_tag + posted_receive}));
  return true;
}

}  // namespace tasuki::transport::mpi
