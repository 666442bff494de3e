// Bulk transfers between this rank and one other: what has been announced, in both directions,
// and what is owed to the other side.
//
// Used by the shm node, which moves the data; here is only the book-keeping. A transfer has one of
// 64 slots of its sender; without a free slot the sender meets back-pressure, so that neither
// side ever has to keep more than 64 per peer.
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/transport/completion.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tasuki::transport::shm {

inline constexpr unsigned bulk_slots = 64;

/// Beginning of the payload of RingKind::bulk; the header of the layer above follows.
struct BulkAnnouncement {
  std::uint64_t address;  ///< Of the data, as the sender sees them.
  std::uint64_t bytes;
};

/// Payload of RingKind::control: one bit per slot.
struct BulkControl {
  std::uint64_t received = 0;  ///< The receiver has the data.
  std::uint64_t cleared = 0;   ///< The receiver cannot read the data: send fragments.
};

/// Transfers from this rank to the peer.
class BulkOutbox {
 public:
  struct Outgoing {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::size_t sent_bytes = 0;  ///< As fragments.
    Completion* completion = nullptr;
  };

  bool full() const noexcept { return ~used_ == 0; }
  /// The slot that `take` will give. Requires: not full().
  unsigned next_slot() const noexcept { return static_cast<unsigned>(std::countr_one(used_)); }
  void take(const Outgoing& outgoing) noexcept {
    slots_[next_slot()] = outgoing;
    used_ |= std::uint64_t{1} << next_slot();
  }
  Completion* finish(unsigned slot) noexcept {
    used_ &= ~(std::uint64_t{1} << slot);
    cleared_ &= ~(std::uint64_t{1} << slot);
    return slots_[slot].completion;
  }

  void clear_to_send(std::uint64_t slots) noexcept { cleared_ |= slots; }
  bool fragments_due() const noexcept { return cleared_ != 0; }
  /// Slot whose fragments are sent now. Requires: fragments_due().
  unsigned fragment_slot() const noexcept {
    return static_cast<unsigned>(std::countr_zero(cleared_));
  }
  Outgoing& at(unsigned slot) noexcept { return slots_[slot]; }

 private:
  std::array<Outgoing, bulk_slots> slots_{};
  std::uint64_t used_ = 0;
  std::uint64_t cleared_ = 0;
};

/// Transfers from the peer to this rank.
class BulkInbox {
 public:
  struct Incoming {
    BulkAnnouncement announcement{};
    std::byte* destination = nullptr;
    std::size_t received_bytes = 0;
    Completion* completion = nullptr;
  };

  Incoming& at(unsigned slot) noexcept { return slots_[slot]; }
  /// The data are being copied by this rank, piece by piece.
  void begin_pull(unsigned slot) noexcept { pulled_ |= std::uint64_t{1} << slot; }
  void end_pull(unsigned slot) noexcept { pulled_ &= ~(std::uint64_t{1} << slot); }
  bool pulls() const noexcept { return pulled_ != 0; }
  /// Slot of which a piece is copied now. Requires: pulls().
  unsigned pulled_slot() const noexcept { return static_cast<unsigned>(std::countr_zero(pulled_)); }

  void owe_received(unsigned slot) noexcept { owed_.received |= std::uint64_t{1} << slot; }
  void owe_clearance(unsigned slot) noexcept { owed_.cleared |= std::uint64_t{1} << slot; }
  bool owes() const noexcept { return (owed_.received | owed_.cleared) != 0; }
  /// What is owed to the sender; the caller delivers it.
  BulkControl settle() noexcept { return std::exchange(owed_, {}); }

 private:
  std::array<Incoming, bulk_slots> slots_{};
  BulkControl owed_;
  std::uint64_t pulled_ = 0;
};

/// With one other rank, in both directions.
struct BulkBooks {
  BulkOutbox outbox;
  BulkInbox inbox;
};

}  // namespace tasuki::transport::shm
