// How the ranks of a search talk over Tasuki.
//
// Ranks agree by allreduce and exchange requests by alltoall: the algorithms of both are the
// policy's (docs/guide/tuning.md). Thread-safety: one per rank, from its own thread.
#pragma once

#include "common/tasuki_program.hpp"
#include "sssp/exchange.hpp"

namespace tasuki::sssp {

class TasukiExchange : public Exchange {
 public:
  explicit TasukiExchange(bool split) : Exchange(apps::now_s, split) {}

  int rank() const override { return tasuki::rank(); }
  int ranks() const override { return tasuki::size(); }
  void barrier() override { tasuki::barrier(); }
  void broadcast(std::span<std::byte> bytes) override { tasuki::broadcast(bytes, 0); }

  void minimise(std::span<Distance> values) override {
    wait_for_all();
    const apps::Stopwatch::Communication clocked(stopwatch());
    stopwatch().count(1, values.size_bytes());
    allreduce(std::span<const Distance>(values), values, Min());
  }

  void transpose(std::span<const Request> outgoing, std::span<Request> incoming) override {
    const apps::Stopwatch::Communication clocked(stopwatch());
    stopwatch().count(1, outgoing.size_bytes());
    alltoall(outgoing, incoming);
  }

  std::vector<Distance> collect(std::span<const Distance> mine) override {
    const Blocks blocks = {allgather(mine.size())};
    std::size_t total = 0;
    for (const std::size_t count : blocks.counts) total += count;
    std::vector<Distance> all(rank() == 0 ? total : 0);
    gatherv(mine, std::span(all), blocks, 0);
    return all;
  }

 private:
  /// Only so that waiting and communication are told apart.
  void wait_for_all() {
    if (!stopwatch().is_split()) return;
    const apps::Stopwatch::Wait clocked(stopwatch());
    tasuki::barrier();
  }
};

}  // namespace tasuki::sssp
