// One rank of a node as another sees it, or as it sees itself: the ring of messages to it, its
// heap, and the bulk transfers between the two.
//
// Owned by the shm node, which gives out what arrives. A bulk transfer takes one of three ways:
// 1. The data lie in the sender's shared heap: the receiver copies them.
// 2. The receiver may read the sender's memory (private_copy.hpp): the kernel copies them.
// 3. Otherwise the receiver asks for fragments: copied into the ring, and out of it.
//
// Rings are opened by their writers at the first message, so that a rank takes memory for those
// that it talks with, and polls their rings only.
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/transport/lane.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "transport/shm/bulk_books.hpp"
#include "transport/shm/private_copy.hpp"
#include "transport/shm/shm_node.hpp"

namespace tasuki::transport::shm {

class ShmNode::Peer final : public Lane {
 public:
  /// `private_copy`: how to reach the rank's private memory. Requires: it has joined.
  Peer(ShmNode& node, int index, PrivateCopy private_copy) noexcept
      : node_(node),
        counters_(node.counters_),
        index_(index),
        bell_(&record().doorbell),
        heap_(node.file_.heap(index)),
        heap_base_(record().heap_base),
        private_copy_(private_copy) {}

  std::byte* acquire(std::size_t bytes) override { return opened().acquire(bytes); }
  void commit(std::size_t bytes) override {
    if (bytes == 0) return writer_.cancel();
    publish({static_cast<std::uint32_t>(bytes), RingKind::message, 0});
    ++counters_.sends;
    counters_.bytes_sent += bytes;
  }
  bool send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override;
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override;
  bool has_bulk_room() const noexcept override {
    return books_ == nullptr || !books_->outbox.full();
  }

  /// Of all of them, and what they refer to.
  static base::MemoryAccount account() noexcept;
  bool has_books() const noexcept { return books_ != nullptr; }

  int index() const noexcept { return index_; }
  int rank() const noexcept { return node_.place_.ranks[at(index_)]; }
  void ring_bell() noexcept { bell_->ring(node_.wake_order_); }
  /// Was there no room in its ring, and is there some now?
  bool has_room_again() const noexcept { return writer_.starved() && writer_.reader_advanced(); }
  std::byte* map(std::uintptr_t address, std::size_t bytes) noexcept;
  PrivateCopy& private_copy() noexcept { return private_copy_; }
  const PrivateCopy& private_copy() const noexcept { return private_copy_; }
  /// Throws what is wrong unless it was done. Returns: false if the kernel forbids such copies.
  bool check(PrivateCopy::Outcome outcome, const char* operation, std::uintptr_t address,
             std::size_t bytes) const;

  // ---- bulk transfers -------------------------------------------------------------------------
  /// Notes what a message announces. Returns: its token.
  std::uint64_t note_announced(unsigned slot, const BulkAnnouncement& announcement) {
    books().inbox.at(slot).announcement = announcement;
    return slot;
  }
  void take_control(BulkControl control);
  void take_fragment(Inbound& inbound, RingHeader header);
  bool has_due_work() const noexcept;
  /// Goes on with the transfers a little. Returns: is nothing left to do?
  bool do_due_work();

 private:
  RankRecord& record() const noexcept { return node_.record(index_); }
  RingWriter& opened() {
    if (!is_open_) [[unlikely]]
      open_ring();
    return writer_;
  }
  void open_ring();
  void publish(RingHeader header) noexcept {
    writer_.commit(header);
    ring_bell();
  }
  BulkBooks& books() {
    if (books_ == nullptr) [[unlikely]]
      books_ = std::make_unique<BulkBooks>();
    return *books_;
  }
  void note_copy(BulkInbox::Incoming& incoming, std::size_t bytes) noexcept;
  void pull(unsigned slot);
  PrivateCopy::Outcome copy_piece(BulkInbox::Incoming& incoming);
  bool settle();
  bool send_fragments();

  ShmNode& node_;
  Counters& counters_;
  int index_;
  bool is_open_ = false;  ///< The ring has memory, and the reader polls it.
  RingWriter writer_;
  Doorbell* bell_;
  std::byte* heap_;             ///< Its heap as mapped here.
  std::uintptr_t heap_base_;    ///< Its heap as mapped there.
  std::size_t heap_bytes_ = 0;  ///< Committed, when last read.
  PrivateCopy private_copy_;
  std::unique_ptr<BulkBooks> books_;  ///< If there has been a bulk transfer.
};

inline void ShmNode::release_ring(Inbound& inbound, std::size_t bytes) {
  // The writer may be asleep because the ring was full.
  if (inbound.reader.release(bytes)) inbound.peer->ring_bell();
}

}  // namespace tasuki::transport::shm
