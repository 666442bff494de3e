#include "transport/mpi/receive_ring.hpp"

#include <cstdlib>
#include <new>

#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {

void ReceiveRing::Free::operator()(std::byte* memory) const noexcept { std::free(memory); }

ReceiveRing::ReceiveRing(const Functions& functions, void* communicator)
    : functions_(functions),
      communicator_(communicator),
      memory_(static_cast<std::byte*>(
          std::aligned_alloc(frame_most_bytes, receive_count * frame_most_bytes))),
      requests_(receive_count) {
  if (memory_ == nullptr) throw std::bad_alloc();
  for (std::size_t index = 0; index < receive_count; ++index) post(index);
}

ReceiveRing::~ReceiveRing() {
  for (std::size_t index = 0; index < receive_count; ++index) {
    const bool is_void = is_complete_ && index == head_;
    if (!is_void) functions_.cancel_receive(&requests_[index]);
  }
}

void ReceiveRing::post(std::size_t index) {
  const int failure = functions_.receive(communicator_, buffer(index), frame_most_bytes, -1,
                                         frame_tag, &requests_[index]);
  check(functions_, failure, "receiving over MPI");
}

bool ReceiveRing::test() {
  if (is_complete_) return true;
  check(functions_, functions_.test(&requests_[head_], &is_complete_, &status_),
        "receiving over MPI");
  return is_complete_;
}

void ReceiveRing::repost() {
  is_complete_ = false;
  post(head_);
  head_ = (head_ + 1) % receive_count;
}

}  // namespace tasuki::transport::mpi
