#include "transport/ucx/send_slots.hpp"

#include <utility>

namespace tasuki::transport::ucx {

std::int32_t SendSlots::take_above(std::size_t kept_count) {
  if (left_count() <= kept_count) return none;
  if (free_.empty()) [[unlikely]]
    add();
  const std::int32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

/// Callbacks must not throw, so what they add to has room for all.
void SendSlots::add() {
  const auto index = static_cast<std::int32_t>(entries_.size());
  if (free_.capacity() == entries_.size()) free_.reserve(2 * entries_.size() + 8);
  completed_.reserve(free_.capacity());
  auto entry = std::make_unique_for_overwrite<Entry>();
  entry->sending = {this, index, nullptr};
  entries_.push_back(std::move(entry));
  free_.push_back(index);
}

void SendSlots::hold(Queue& queue, std::int32_t slot, const Content& content) noexcept {
  entry(slot).held = content;
  entry(slot).next_held = none;
  (queue.first == none ? queue.first : entry(queue.last).next_held) = slot;
  queue.last = slot;
}

std::pair<std::int32_t, SendSlots::Content> SendSlots::take_held(Queue& queue) noexcept {
  const std::int32_t slot = queue.first;
  queue.first = entry(slot).next_held;
  return {slot, entry(slot).held};
}

Completion* SendSlots::finish(Sending& sending) noexcept {
  free_.push_back(sending.slot);
  return std::exchange(sending.completion, nullptr);
}

void SendSlots::on_sent(void* request, ucs_status_t status, void* argument) {
  auto& sending = *static_cast<Sending*>(argument);
  SendSlots& slots = *sending.slots;
  if (status != UCS_OK && slots.failure_ == UCS_OK) slots.failure_ = status;
  Completion* const completion = slots.finish(sending);
  if (completion != nullptr) slots.completed_.push_back(completion);
  functions().request_free(request);
}

}  // namespace tasuki::transport::ucx
