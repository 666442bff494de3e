// The bounded pool of frames that are being sent, and what is to be told when they have left.
//
// Used by the endpoint. A slot is taken, filled, sent, and free again when UCX is done with it.
// Slots are made when as many are in use at once as never before. The last few are kept for frames
// that the transport itself has to send, so that credits always get through.
//
// Thread-safety: none.
#pragma once

#include <tasuki/detail/transport/completion.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "transport/ucx/frame.hpp"
#include "transport/ucx/functions.hpp"

namespace tasuki::transport::ucx {

/// The header and the payload of a frame, in this order, as one piece of memory.
struct alignas(64) Slot {
  FrameHeader header;
  std::byte payload[message_max_bytes];
};

class SendSlots {
 public:
  /// A slot of which UCX has not told yet that it has left.
  struct Sending {
    SendSlots* slots = nullptr;
    std::int32_t slot = 0;
    Completion* completion = nullptr;
  };
  static constexpr std::int32_t none = -1;
  static constexpr std::size_t slot_bytes = sizeof(Slot) + sizeof(Sending);

  explicit SendSlots(std::size_t most_count) noexcept : most_count_(most_count) {}

  /// A free slot for a frame of the layer above, or `none`.
  std::int32_t take() { return take_above(reserved_count); }
  /// A free slot for a frame of the transport itself, or `none`.
  std::int32_t take_reserved() { return take_above(0); }
  bool has_room() const noexcept { return left_count() > reserved_count; }
  void give_back(std::int32_t slot) noexcept { free_.push_back(slot); }
  Slot& at(std::int32_t slot) noexcept { return entry(slot).slot; }
  /// What UCX is to call `on_sent` with.
  Sending& sending(std::int32_t slot, Completion* completion) noexcept {
    Sending& it = entry(slot).sending;
    it.completion = completion;
    return it;
  }
  /// UCX's callback for a send.
  static void on_sent(void* request, ucs_status_t status, void* sending);
  /// The slot has left at once. Returns: what is to be told.
  Completion* finish(Sending& sending) noexcept;

  /// Completions of what has left since the last call, to be told in this order.
  std::vector<Completion*>& completed() noexcept { return completed_; }
  ucs_status_t failure() const noexcept { return failure_; }
  std::size_t made_count() const noexcept { return entries_.size(); }

 private:
  static constexpr std::size_t reserved_count = 8;

  struct Entry {
    Slot slot;
    Sending sending;  ///< UCX keeps its address while the slot is being sent.
  };

  std::int32_t take_above(std::size_t kept_count);
  std::size_t left_count() const noexcept { return free_.size() + most_count_ - entries_.size(); }
  Entry& entry(std::int32_t slot) noexcept { return *entries_[static_cast<std::size_t>(slot)]; }
  void add();

  std::size_t most_count_;
  std::vector<std::unique_ptr<Entry>> entries_;  ///< By slot.
  std::vector<std::int32_t> free_;
  std::vector<Completion*> completed_;
  ucs_status_t failure_ = UCS_OK;  ///< The first one.
};

}  // namespace tasuki::transport::ucx
