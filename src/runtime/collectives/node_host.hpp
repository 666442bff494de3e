// What node memory needs of the runtime: fibers that wait, and the shared heap.
//
// Owned by the collectives. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/heap.hpp>

#include "node/segment/host.hpp"

namespace tasuki::runtime {

class NodeHost final : public node::Host {
 public:
  explicit NodeHost(Rank& self)
      : node::Host(self.transport.memory(), traits_of(self.transport)),
        self_(self),
        scheduler_(self.waits.scheduler()),
        arrivals_(self.transport.arrivals()) {}

  void* allocate(std::size_t bytes, std::size_t alignment) override {
    return heap_allocate(bytes, alignment, bytes);
  }
  void free(void* memory) override { heap_free(memory); }
  bool yield_to_peers(std::uint64_t count) override {
    if (scheduler_.anything_ready()) return false;
    arrivals_.wait(count, 0);
    return true;
  }
  void wait_until(const node::Condition& ready, const node::WaitNote& note) override {
    self_.waits.wait_until(ready,
                           {fiber::WaitKind::collective, note.rank, note.collective, 0, note.team});
  }

 private:
  static node::HostTraits traits_of(const transport::Transport& transport) {
    const transport::Capabilities& can = transport.capabilities();
    return {.rank = transport.rank(),
            .may_spin = !can.peers_need_calls && !can.shares_cores,
            .reads_peers = can.reads_private};
  }

  Rank& self_;
  // Not reached through self_: each step there would load a cache line that another rank on this
  // core may have replaced.
  const fiber::Scheduler& scheduler_;
  transport::Arrivals& arrivals_;
};

}  // namespace tasuki::runtime
