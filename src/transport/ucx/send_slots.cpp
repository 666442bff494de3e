#include "transport/ucx/send_slots.hpp"

#include <utility>

namespace tasuki::transport::ucx {

SendSlots::SendSlots(std::size_t slot_count)
    : slots_(std::make_unique_for_overwrite<Slot[]>(slot_count)), sendings_(slot_count) {
  free_.reserve(slot_count);
  completed_.reserve(slot_count);  // Callbacks must not throw.
  for (std::size_t index = slot_count; index-- > 0;) {
    sendings_[index] = {this, static_cast<std::int32_t>(index), nullptr};
    free_.push_back(static_cast<std::int32_t>(index));
  }
}

std::int32_t SendSlots::take_above(std::size_t kept_count) noexcept {
  if (free_.size() <= kept_count) return none;
  const std::int32_t slot = free_.back();
  free_.pop_back();
  return slot;
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
