#include "transport/mpi/send_slots.hpp"

#include <algorithm>

#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {

std::int32_t SendSlots::take_above(std::size_t kept_count) {
  const bool asks =
      left_count() <= kept_count || (free_.empty() && made_count() >= made_unasked_most);
  if (asks) [[unlikely]]
    reap();
  if (left_count() <= kept_count) return none;
  if (free_.empty()) [[unlikely]]
    add_buffers();
  const std::int32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

/// A quarter more than there are: MPI has been asked for all of them in vain.
void SendSlots::add_buffers() {
  const std::size_t first = made_count();
  const std::size_t most_count = std::min(most_count_, first + std::max(buffers_added, first / 4));
  do {
    buffers_.push_back(std::make_unique_for_overwrite<FrameBuffer[]>(buffers_added));
  } while (made_count() < most_count);
  free_.reserve(made_count());
  for (std::size_t slot = made_count(); slot-- > first;) {
    free_.push_back(static_cast<std::int32_t>(slot));
  }
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
