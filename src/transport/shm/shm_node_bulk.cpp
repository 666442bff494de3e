// Bulk transfers of a node: the ways the data take.
//
// 1. The data lie in the sender's shared heap: the receiver copies them.
// 2. The receiver may read the sender's memory (private_copy.hpp): the kernel copies them.
// 3. Otherwise the receiver asks for fragments: copied into the ring, and out of it.
#include <fmt/format.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cstring>

#include "transport/shm/shm_node.hpp"

namespace tasuki::transport::shm {
namespace {

/// Fragments sent to one peer before other work gets its turn. Copies into private memory without
/// the kernel's help take the same with 1, 4 and 32 (`TASUKI_CMA=0 tasuki bench micro --only
/// bulk_put_private_1MB`).
constexpr int fragments_at_once = 4;
/// What the receiver copies before other work gets its turn: 0.3 to 0.5 ms.
constexpr std::size_t pull_most_bytes = std::size_t{4} << 20;

void finish(Completion* completion) {
  if (completion != nullptr) completion->done(completion);
}

[[noreturn]] void bad_address(const char* operation, int rank, std::uintptr_t address,
                              std::size_t bytes) {
  throw error(operation,
              fmt::format("rank {} has no {} bytes of memory at {:#x}", rank, bytes, address),
              "pass an address that the other rank has allocated and not yet freed");
}

}  // namespace

bool ShmNode::send_bulk(int index, std::span<const std::byte> header,
                        std::span<const std::byte> data, Completion* completion) {
  BulkOutbox& outbox = books(at(index)).outbox;
  Outbound& outbound = opened(at(index));
  if (outbox.full()) return false;
  std::byte* const room = outbound.writer.acquire(sizeof(BulkAnnouncement) + header.size());
  if (room == nullptr) return false;
  const BulkAnnouncement announcement{reinterpret_cast<std::uintptr_t>(data.data()), data.size()};
  std::memcpy(room, &announcement, sizeof announcement);
  std::copy(header.begin(), header.end(), room + sizeof announcement);
  const auto slot = static_cast<std::uint8_t>(outbox.next_slot());
  outbox.take({data.data(), data.size(), 0, completion});
  publish(outbound,
          {static_cast<std::uint32_t>(sizeof announcement + header.size()), RingKind::bulk, slot});
  ++counters_.sends;
  counters_.bytes_sent += header.size() + data.size();
  return true;
}

void ShmNode::accept(std::uint64_t token, std::byte* destination, Completion* completion) {
  const auto from = static_cast<std::size_t>(token / bulk_slots);
  const auto slot = static_cast<unsigned>(token % bulk_slots);
  BulkInbox& inbox = books(from).inbox;
  BulkInbox::Incoming& incoming = inbox.at(slot);
  incoming.destination = destination;
  incoming.received_bytes = 0;
  incoming.completion = completion;
  counters_.bytes_received += incoming.announcement.bytes;
  inbox.begin_pull(slot);
  ++pulls_count_;
  pull(from, slot);
}

/// Copies the next piece of a transfer that this rank copies, and ends it after the last.
void ShmNode::pull(std::size_t from, unsigned slot) {
  BulkInbox& inbox = books(from).inbox;
  BulkInbox::Incoming& incoming = inbox.at(slot);
  const PrivateCopy::Outcome outcome = copy_piece(from, incoming);
  const BulkAnnouncement& data = incoming.announcement;
  if (outcome == PrivateCopy::Outcome::bad_address) {
    bad_address("receiving a bulk message", place_.ranks[from], data.address, data.bytes);
  }
  const bool is_forbidden = outcome == PrivateCopy::Outcome::forbidden;
  const bool is_copied = !is_forbidden && incoming.received_bytes == data.bytes;
  if (!is_copied && !is_forbidden) {
    work_due_ = true;
    return;
  }
  inbox.end_pull(slot);
  --pulls_count_;
  if (is_forbidden) {
    say_private_copy_is_forbidden();
    incoming.received_bytes = 0;
    inbox.owe_clearance(slot);
  } else {
    inbox.owe_received(slot);
  }
  Completion* const completion = is_copied ? incoming.completion : nullptr;
  if (!settle(from)) work_due_ = true;
  finish(completion);
}

PrivateCopy::Outcome ShmNode::copy_piece(std::size_t from, BulkInbox::Incoming& incoming) {
  const BulkAnnouncement& data = incoming.announcement;
  const std::size_t bytes = std::min(data.bytes - incoming.received_bytes, pull_most_bytes);
  const std::uintptr_t address = data.address + incoming.received_bytes;
  const std::span into(incoming.destination + incoming.received_bytes, bytes);
  if (bytes == 0) return PrivateCopy::Outcome::done;
  const std::byte* source = map(static_cast<int>(from), address, bytes);
  if (from == at(index())) source = reinterpret_cast<const std::byte*>(address);
  if (source == nullptr) {
    const PrivateCopy::Outcome outcome = peers_[from].private_copy.read(address, into);
    if (outcome != PrivateCopy::Outcome::done) return outcome;
  } else {
    std::memcpy(into.data(), source, bytes);
  }
  note_copy(incoming, bytes);
  return PrivateCopy::Outcome::done;
}

bool ShmNode::take_internal(Arrival& arrival, Inbound& inbound, RingHeader header) {
  if (header.kind == RingKind::none) return false;  // there was only a skip
  if (armed_) disarm();
  const std::size_t from = at(inbound.index);
  const std::byte* const payload = inbound.reader.payload();
  switch (header.kind) {
    case RingKind::bulk: {
      BulkAnnouncement announcement;
      std::memcpy(&announcement, payload, sizeof announcement);
      books(from).inbox.at(header.slot).announcement = announcement;
      hand_out(arrival, inbound, header, sizeof announcement);
      counters_.bytes_received -= sizeof announcement;
      arrival.kind = ArrivalKind::bulk;
      arrival.bulk_bytes = announcement.bytes;
      arrival.bulk_token = from * bulk_slots + header.slot;
      return true;
    }
    case RingKind::control: {
      BulkControl control;
      std::memcpy(&control, payload, sizeof control);
      release_ring(inbound, header.bytes);
      take_control(from, control);
      return false;
    }
    case RingKind::fragment:
      take_fragment(inbound, header);
      return false;
    default:
      TASUKI_ASSERT(!"a known kind of message");
      return false;
  }
}

void ShmNode::take_control(std::size_t from, BulkControl control) {
  BulkOutbox& outbox = books(from).outbox;
  outbox.clear_to_send(control.cleared);
  if (outbox.fragments_due()) work_due_ = true;
  for (std::uint64_t left = control.received; left != 0; left &= left - 1) {
    finish(outbox.finish(static_cast<unsigned>(std::countr_zero(left))));
  }
}

void ShmNode::take_fragment(Inbound& inbound, RingHeader header) {
  BulkInbox::Incoming& incoming = books(at(inbound.index)).inbox.at(header.slot);
  std::memcpy(incoming.destination + incoming.received_bytes, inbound.reader.payload(),
              header.bytes);
  note_copy(incoming, header.bytes);
  release_ring(inbound, header.bytes);
  if (incoming.received_bytes == incoming.announcement.bytes) finish(incoming.completion);
}

/// Delivers what is owed to a peer. Returns: is nothing left owed?
bool ShmNode::settle(std::size_t index) {
  BulkInbox& inbox = books(index).inbox;
  if (!inbox.owes()) return true;
  Outbound& outbound = opened(index);
  if (outbound.writer.open()) return false;  // the layer above is writing a message to it
  std::byte* const room = outbound.writer.acquire(sizeof(BulkControl));
  if (room == nullptr) return false;
  const BulkControl control = inbox.settle();
  std::memcpy(room, &control, sizeof control);
  publish(outbound, {sizeof control, RingKind::control, 0});
  return true;
}

/// Sends a few fragments to a peer. Returns: are none left?
bool ShmNode::send_fragments(std::size_t index) {
  BulkOutbox& outbox = books(index).outbox;
  if (!outbox.fragments_due()) return true;
  Outbound& outbound = opened(index);
  for (int sent = 0; outbox.fragments_due(); ++sent) {
    if (sent == fragments_at_once || outbound.writer.open()) return false;
    const unsigned slot = outbox.fragment_slot();
    BulkOutbox::Outgoing& outgoing = outbox.at(slot);
    const std::size_t bytes =
        std::min(outgoing.bytes - outgoing.sent_bytes, message_max_bytes() / 2);
    std::byte* const room = outbound.writer.acquire(bytes);
    if (room == nullptr) return false;
    std::memcpy(room, outgoing.data + outgoing.sent_bytes, bytes);
    outgoing.sent_bytes += bytes;
    publish(outbound, {static_cast<std::uint32_t>(bytes), RingKind::fragment,
                       static_cast<std::uint8_t>(slot)});
    if (outgoing.sent_bytes == outgoing.bytes) finish(outbox.finish(slot));
  }
  return true;
}

void ShmNode::do_due_work() {
  bool all_done = true;
  for (std::size_t other = 0; other < peers_.size(); ++other) {
    if (peers_[other].books == nullptr) continue;
    const BulkInbox& inbox = peers_[other].books->inbox;
    if (inbox.pulls()) pull(other, inbox.pulled_slot());
    const bool settled = settle(other);
    const bool fragments_sent = send_fragments(other);
    all_done = all_done && settled && fragments_sent && !inbox.pulls();
  }
  // A completion may have made new work due: look again at the next call.
  if (all_done) {
    work_due_ = std::any_of(peers_.begin(), peers_.end(), [](const Peer& peer) {
      const BulkBooks* const books = peer.books.get();
      return books != nullptr &&
             (books->inbox.owes() || books->inbox.pulls() || books->outbox.fragments_due());
    });
  }
}

bool ShmNode::put_private(int index, std::uintptr_t address, std::span<const std::byte> data) {
  switch (peers_[at(index)].private_copy.write(address, data)) {
    case PrivateCopy::Outcome::done:
      return true;
    case PrivateCopy::Outcome::bad_address:
      bad_address("writing to private memory", place_.ranks[at(index)], address, data.size());
    case PrivateCopy::Outcome::forbidden:
      say_private_copy_is_forbidden();
  }
  return false;
}

bool ShmNode::get_private(int index, std::uintptr_t address, std::span<std::byte> data) {
  switch (peers_[at(index)].private_copy.read(address, data)) {
    case PrivateCopy::Outcome::done:
      return true;
    case PrivateCopy::Outcome::bad_address:
      bad_address("reading private memory", place_.ranks[at(index)], address, data.size());
    case PrivateCopy::Outcome::forbidden:
      say_private_copy_is_forbidden();
  }
  return false;
}

void ShmNode::say_private_copy_is_forbidden() noexcept {
  // Once per node, and not to somebody who has switched it off.
  if (!base::setting::cma.flag() || file_.header().cma_notice.exchange(1) != 0) return;
  base::report("process_vm_readv is not permitted here; private data are copied twice");
}

}  // namespace tasuki::transport::shm
