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
    requests_.push_back(request);
    sending_.push_back(slot);
  }
}

/// A call that finds nothing complete lets MPI progress all that it has to do, which takes longer
/// than comparing requests. So MPI is asked for many at once.
void SendSlots::reap() {
  for (std::size_t first = 0; first < requests_.size();) {
    const std::size_t count = std::min(test_any_most, requests_.size() - first);
    int index = 0;
    bool is_done = false;
    const int failure =
        functions_.test_any(&requests_[first], static_cast<int>(count), &index, &is_done, nullptr);
    if (is_done) {
      remove(first + static_cast<std::size_t>(index));
    } else {
      first += count;
    }
    check(functions_, failure, "sending a message over MPI");
  }
}

void SendSlots::finish(const Request* request) {
  remove(static_cast<std::size_t>(request - requests_.data()));
}

void SendSlots::remove(std::size_t sent_index) {
  free_.push_back(sending_[sent_index]);
  sending_[sent_index] = sending_.back();
  sending_.pop_back();
  requests_[sent_index] = requests_.back();
  requests_.pop_back();
}

}  // namespace tasuki::transport::mpi
