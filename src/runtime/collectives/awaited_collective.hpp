// A collective that a fiber waits for, by messages or of the MPI library: what is told when it is
// complete on this rank. It lives on that fiber's stack.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include "runtime/collectives/collective_failure.hpp"
#include "runtime/collectives/mpi_requests.hpp"
#include "runtime/waiting/event.hpp"

namespace tasuki::runtime {

class AwaitedCollective final : public AwaitedCompletion {
 public:
  explicit AwaitedCollective(MpiRequests& requests) : requests_(requests) {}
  /// `told`: what the MPI library tells of it. Ends the job if the library reports an error.
  void wait(const transport::Completion& told, const fiber::WaitReason& reason) {
    if (!requests_.empty()) must_succeed([&] { requests_.poll_for(told, *this); });
    Event::wait(reason);
  }

 private:
  MpiRequests& requests_;
};

}  // namespace tasuki::runtime
