#include "transport/shm/node_peer.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tasuki::transport::shm {
namespace {

/// Fragments sent to one peer before other work gets its turn. Copies into private memory without
/// the kernel's help take the same with 1, 4 and 32 (`TASUKI_CMA=0 tasuki bench micro --only
/// bulk_put_private_1MB`).
constexpr int fragments_at_once = 4;
/// What the receiver copies before other work gets its turn: 0.3 to 0.5 ms.
constexpr std::size_t pull_most_bytes = std::size_t{4} << 20;

}  // namespace

void ShmNode::Peer::open_ring() {
  const Layout& layout = node_.file_.layout();
  const std::size_t offset = layout.ring_offset(index_, node_.index());
  if (const int failure = node_.file_.commit(offset, layout.ring_bytes()); failure != 0) {
    node_.announce_abort(base::exit_code::failed);
    base::die(
        no_room(fmt::format("the message ring to rank {}", rank()), layout.ring_bytes(), failure)
            .what());
  }
  writer_ = RingWriter(node_.file_.ring(index_, node_.index()));
  node_.opened_.push_back(this);  // First, because it may find no memory.
  is_open_ = true;
  const auto writer = static_cast<unsigned>(node_.index());
  node_.file_.openers(index_)[writer / 64].fetch_or(std::uint64_t{1} << writer % 64,
                                                    std::memory_order_relaxed);
  // Release: who sees this sees the bit. The first message is published, and rings, after it.
  record().opened_count.fetch_add(1, std::memory_order_release);
}

std::byte* ShmNode::Peer::map(std::uintptr_t address, std::size_t bytes) noexcept {
  const std::uintptr_t offset = address - heap_base_;
  const auto is_inside = [&] { return offset <= heap_bytes_ && bytes <= heap_bytes_ - offset; };
  if (!is_inside()) [[unlikely]]
    heap_bytes_ = record().heap_committed_bytes.load(std::memory_order_acquire);
  return is_inside() ? heap_ + offset : nullptr;
}

bool ShmNode::Peer::check(PrivateCopy::Outcome outcome, const char* operation,
                          std::uintptr_t address, std::size_t bytes) const {
  if (outcome == PrivateCopy::Outcome::forbidden) node_.say_private_copy_is_forbidden();
  if (outcome != PrivateCopy::Outcome::bad_address) return outcome == PrivateCopy::Outcome::done;
  throw error(operation,
              fmt::format("rank {} has no {} bytes of memory at {:#x}", rank(), bytes, address),
              "pass an address that the other rank has allocated and not yet freed");
}

// ---- bulk transfers ----------------------------------------------------------------------------

bool ShmNode::Peer::send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                              Completion* completion) {
  BulkOutbox& outbox = books().outbox;
  if (outbox.full()) return false;
  std::byte* const room = opened().acquire(sizeof(BulkAnnouncement) + header.size());
  if (room == nullptr) return false;
  const BulkAnnouncement announcement{reinterpret_cast<std::uintptr_t>(data.data()), data.size()};
  std::memcpy(room, &announcement, sizeof announcement);
  std::copy(header.begin(), header.end(), room + sizeof announcement);
  const auto slot = static_cast<std::uint8_t>(outbox.next_slot());
  outbox.take({data.data(), data.size(), 0, completion});
  publish({static_cast<std::uint32_t>(sizeof announcement + header.size()), RingKind::bulk, slot});
  ++counters_.sends;
  counters_.bytes_sent += header.size() + data.size();
  return true;
}

void ShmNode::Peer::accept(std::uint64_t token, std::byte* destination, Completion* completion) {
  const auto slot = static_cast<unsigned>(token);
  BulkInbox& inbox = books().inbox;
  BulkInbox::Incoming& incoming = inbox.at(slot);
  incoming.destination = destination;
  incoming.received_bytes = 0;
  incoming.completion = completion;
  counters_.bytes_received += incoming.announcement.bytes;
  inbox.begin_pull(slot);
  ++node_.pulls_count_;
  pull(slot);
}

/// Copies the next piece of a transfer that this rank copies, and ends it after the last.
void ShmNode::Peer::pull(unsigned slot) {
  BulkInbox& inbox = books().inbox;
  BulkInbox::Incoming& incoming = inbox.at(slot);
  const BulkAnnouncement& data = incoming.announcement;
  const bool is_forbidden =
      !check(copy_piece(incoming), "receiving a bulk message", data.address, data.bytes);
  const bool is_copied = !is_forbidden && incoming.received_bytes == data.bytes;
  if (!is_copied && !is_forbidden) {
    node_.work_due_ = true;
    return;
  }
  inbox.end_pull(slot);
  --node_.pulls_count_;
  if (is_forbidden) {
    incoming.received_bytes = 0;
    inbox.owe_clearance(slot);
  } else {
    inbox.owe_received(slot);
  }
  Completion* const completion = is_copied ? incoming.completion : nullptr;
  if (!settle()) node_.work_due_ = true;
  complete(completion);
}

PrivateCopy::Outcome ShmNode::Peer::copy_piece(BulkInbox::Incoming& incoming) {
  const BulkAnnouncement& data = incoming.announcement;
  const std::size_t bytes = std::min(data.bytes - incoming.received_bytes, pull_most_bytes);
  const std::uintptr_t address = data.address + incoming.received_bytes;
  const std::span into(incoming.destination + incoming.received_bytes, bytes);
  if (bytes == 0) return PrivateCopy::Outcome::done;
  const std::byte* source = map(address, bytes);
  if (index_ == node_.index()) source = reinterpret_cast<const std::byte*>(address);
  if (source == nullptr) {
    const PrivateCopy::Outcome outcome = private_copy_.read(address, into);
    if (outcome != PrivateCopy::Outcome::done) return outcome;
  } else {
    std::memcpy(into.data(), source, bytes);
  }
  note_copy(incoming, bytes);
  return PrivateCopy::Outcome::done;
}

/// So many more bytes have been brought to where they belong.
void ShmNode::Peer::note_copy(BulkInbox::Incoming& incoming, std::size_t bytes) noexcept {
  if (incoming.received_bytes == 0 && bytes != 0) ++counters_.received_copied;
  incoming.received_bytes += bytes;
  counters_.bytes_copied += bytes;
}

void ShmNode::Peer::take_control(BulkControl control) {
  BulkOutbox& outbox = books().outbox;
  outbox.clear_to_send(control.cleared);
  if (outbox.fragments_due()) node_.work_due_ = true;
  for (std::uint64_t left = control.received; left != 0; left &= left - 1) {
    complete(outbox.finish(static_cast<unsigned>(std::countr_zero(left))));
  }
}

void ShmNode::Peer::take_fragment(Inbound& inbound, RingHeader header) {
  BulkInbox::Incoming& incoming = books().inbox.at(header.slot);
  std::memcpy(incoming.destination + incoming.received_bytes, inbound.reader.payload(),
              header.bytes);
  note_copy(incoming, header.bytes);
  node_.release_ring(inbound, header.bytes);
  if (incoming.received_bytes == incoming.announcement.bytes) complete(incoming.completion);
}

/// Delivers what is owed. Returns: is nothing left owed?
bool ShmNode::Peer::settle() {
  BulkInbox& inbox = books().inbox;
  if (!inbox.owes()) return true;
  RingWriter& writer = opened();
  if (writer.open()) return false;  // the layer above is writing a message
  std::byte* const room = writer.acquire(sizeof(BulkControl));
  if (room == nullptr) return false;
  const BulkControl control = inbox.settle();
  std::memcpy(room, &control, sizeof control);
  publish({sizeof control, RingKind::control, 0});
  return true;
}

/// Sends a few fragments. Returns: are none left?
bool ShmNode::Peer::send_fragments() {
  BulkOutbox& outbox = books().outbox;
  if (!outbox.fragments_due()) return true;
  RingWriter& writer = opened();
  const std::size_t fragment_most_bytes = node_.message_max_bytes() / 2;
  for (int sent = 0; outbox.fragments_due(); ++sent) {
    if (sent == fragments_at_once || writer.open()) return false;
    const unsigned slot = outbox.fragment_slot();
    BulkOutbox::Outgoing& outgoing = outbox.at(slot);
    const std::size_t bytes = std::min(outgoing.bytes - outgoing.sent_bytes, fragment_most_bytes);
    std::byte* const room = writer.acquire(bytes);
    if (room == nullptr) return false;
    std::memcpy(room, outgoing.data + outgoing.sent_bytes, bytes);
    outgoing.sent_bytes += bytes;
    publish(
        {static_cast<std::uint32_t>(bytes), RingKind::fragment, static_cast<std::uint8_t>(slot)});
    if (outgoing.sent_bytes == outgoing.bytes) complete(outbox.finish(slot));
  }
  return true;
}

bool ShmNode::Peer::has_due_work() const noexcept {
  return books_ != nullptr &&
         (books_->inbox.owes() || books_->inbox.pulls() || books_->outbox.fragments_due());
}

bool ShmNode::Peer::do_due_work() {
  if (books_ == nullptr) return true;
  const BulkInbox& inbox = books_->inbox;
  if (inbox.pulls()) pull(inbox.pulled_slot());
  const bool settled = settle();
  const bool fragments_sent = send_fragments();
  return settled && fragments_sent && !inbox.pulls();
}

}  // namespace tasuki::transport::shm
