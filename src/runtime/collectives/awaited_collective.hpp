// A collective that a fiber waits for, by messages or of the MPI library: what is told when it is
// complete on this rank. It lives on that fiber's stack.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/runtime/world/world.hpp>

#include "runtime/collectives/mpi_requests.hpp"
#include "runtime/collectives/must_succeed.hpp"

namespace tasuki::runtime {

class AwaitedCollective final : public transport::Completion {
 public:
  AwaitedCollective(World& world, MpiRequests& requests) : world_(world), requests_(requests) {
    done = [](transport::Completion* completion) {
      auto& self = static_cast<AwaitedCollective&>(*completion);
      self.is_done_ = true;
      if (self.waiter_ != nullptr) self.world_.scheduler().make_ready(self.waiter_);
    };
  }
  /// `told`: what the MPI library tells of it. Ends the job if the library reports an error.
  void wait(const transport::Completion& told, const fiber::WaitReason& reason) {
    if (!requests_.empty()) must_succeed([&] { requests_.poll_for(told, is_done_, world_); });
    if (is_done_) return;
    waiter_ = world_.scheduler().current();
    world_.suspend(reason);
  }

 private:
  World& world_;
  MpiRequests& requests_;
  bool is_done_ = false;
  fiber::Fiber* waiter_ = nullptr;
};

}  // namespace tasuki::runtime
