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

  void allreduce_minimum(std::span<Distance> values) override {
    allreduce(std::span<const Distance>(values), values, Min());
  }

  void alltoall(std::span<const Request> outgoing, std::span<Request> incoming) override {
    tasuki::alltoall(outgoing, incoming);
  }

  std::vector<Distance> collect(std::span<const Distance> mine) override {
    const Blocks blocks = {allgather(mine.size())};
    std::size_t total = 0;
    for (const std::size_t count : blocks.counts) total += count;
    std::vector<Distance> all(rank() == 0 ? total : 0);
    gatherv(mine, std::span(all), blocks, 0);
    return all;
  }
};

}  // namespace tasuki::sssp
