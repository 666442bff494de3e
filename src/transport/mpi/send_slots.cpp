#include "transport/mpi/send_slots.hpp"

#include <algorithm>

#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {

SendSlots::SendSlots(const Functions& functions, void* communicator, std::size_t slot_count)
    : functions_(functions),
      communicator_(communicator),
      buffers_(std::make_unique_for_overwrite<FrameBuffer[]>(slot_count)) {
  free_.reserve(slot_count);
  sending_.reserve(slot_count);
  for (std::size_t slot = slot_count; slot-- > 0;) free_.push_back(static_cast<std::int32_t>(slot));
}

std::int32_t SendSlots::take_above(std::size_t kept_count) {
  if (free_.size() <= kept_count) [[unlikely]]
    reap();
  if (free_.size() <= kept_count) return none;
  const std::int32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

void SendSlots::send(std::int32_t slot, int rank, std::size_t bytes) {
  Request request;
  bool is_done = false;
  const int failure =
      functions_.send(communicator_, at(slot), bytes, rank, frame_tag, &request, &is_done);
  check(functions_, failure, "sending a message over MPI");
  if (is_done) {
    free_.push_back(slot);
  } else {
    sending_.push_back({slot, request});
  }
}

void SendSlots::reap() {
  for (std::size_t i = 0; i < sending_.size();) {
    bool is_done = false;
    check(functions_, functions_.test(&sending_[i].request, &is_done, nullptr),
          "sending a message over MPI");
    if (!is_done) {
      ++i;
      continue;
    }
    free_.push_back(sending_[i].slot);
    sending_[i] = sending_.back();
    sending_.pop_back();
  }
}

void SendSlots::finish(const Request* request) {
  const auto found = std::find_if(sending_.begin(), sending_.end(), [&](const Sending& sending) {
    return &sending.request == request;
  });
  if (found == sending_.end()) return;
  free_.push_back(found->slot);
  *found = sending_.back();
  sending_.pop_back();
}

}  // namespace tasuki::transport::mpi
