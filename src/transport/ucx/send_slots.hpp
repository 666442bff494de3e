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
#include <span>
#include <utility>
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
  static constexpr int no_posted_receive = -1;
  /// What is to be sent from a slot.
  struct Content {
    std::size_t header_bytes = 0;  ///< Of the layer above.
    std::span<const std::byte> data;
    Completion* completion = nullptr;
    int posted_receive = no_posted_receive;  ///< `no_posted_receive`: the slot is a frame.
  };
  /// Slots that wait, in the order in which they were held. A slot has room for that, so that to
  /// hold one takes no memory.
  struct Queue {
    std::int32_t first = none;
    std::int32_t last = none;
  };
  static constexpr std::size_t slot_bytes =
      sizeof(Slot) + sizeof(Sending) + sizeof(Content) + sizeof(std::int32_t);

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
  void hold(Queue& queue, std::int32_t slot, const Content& content) noexcept;
  /// Takes the first out. Requires: there is one.
  std::pair<std::int32_t, Content> take_held(Queue& queue) noexcept;
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
    Content held;
    std::int32_t next_held;
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
