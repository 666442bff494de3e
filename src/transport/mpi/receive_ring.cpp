#include "transport/mpi/receive_ring.hpp"

#include <algorithm>
#include <utility>

#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {

ReceiveRing::ReceiveRing(const Functions& functions, void* communicator)
    : functions_(functions),
      communicator_(communicator),
      buffers_(std::make_unique_for_overwrite<FrameBuffer[]>(receive_count)),
      requests_(receive_count) {
  while (posted_count_ < wanted_count_) post_next();
}

ReceiveRing::~ReceiveRing() {
  for (std::size_t ahead = is_complete_ ? 1 : 0; ahead < posted_count_; ++ahead) {
    functions_.cancel_receive(&requests_[(head_ + ahead) % receive_count]);
  }
}

void ReceiveRing::post_next() {
  const std::size_t index = (head_ + posted_count_++) % receive_count;
  const int failure = functions_.receive(communicator_, buffer(index), frame_most_bytes, -1,
                                         frame_tag, &requests_[index]);
  check(functions_, failure, "receiving over MPI");
}

bool ReceiveRing::test() {
  if (is_complete_) return true;
  check(functions_, functions_.test(&requests_[head_], &is_complete_, &status_),
        "receiving over MPI");
  has_waited_ |= !is_complete_;
  return is_complete_;
}

void ReceiveRing::repost() {
  is_complete_ = false;
  head_ = (head_ + 1) % receive_count;
  --posted_count_;
  wanted_count_ = std::exchange(has_waited_, false)
                      ? std::max(wanted_count_ - 1, receive_least_count)
                      : std::min(wanted_count_ * 2, receive_count);
  while (posted_count_ < wanted_count_) post_next();
}

}  // namespace tasuki::transport::mpi
