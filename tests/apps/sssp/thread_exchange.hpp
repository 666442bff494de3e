// The exchange of ranks that are threads of one process.
//
// Thread-safety: one per rank, from its own thread.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/common/thread_ranks.hpp"
#include "sssp/exchange.hpp"

namespace tasuki::sssp {

/// Ranks that are threads and read each other's memory.
class ThreadExchange : public Exchange {
 public:
  ThreadExchange(
      apps::ThreadRanks& threads, int rank, int ranks, double (*now_s)() = [] { return 0.0; })
      : Exchange(now_s, false), threads_(threads), rank_(rank), ranks_(ranks) {}

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  void barrier() override { threads_.wait(); }
  void broadcast(std::span<std::byte> bytes) override {
    const auto all = threads_.publish(rank_, std::span<const std::byte>(bytes));
    if (rank_ != 0) std::copy(all[0].begin(), all[0].end(), bytes.begin());
    threads_.wait();
  }
  void allreduce_minimum(std::span<Distance> values) override {
    std::vector<Distance> least(values.begin(), values.end());
    for (const auto part : threads_.publish(rank_, std::span<const Distance>(values)))
      for (std::size_t k = 0; k < least.size(); ++k) least[k] = std::min(least[k], part[k]);
    threads_.wait();
    std::copy(least.begin(), least.end(), values.begin());
  }
  void alltoall(std::span<const Request> outgoing, std::span<Request> incoming) override {
    const auto all = threads_.publish(rank_, outgoing);
    const std::size_t block = outgoing.size() / static_cast<std::size_t>(ranks_);
    for (std::size_t from = 0; from < all.size(); ++from) {
      EXPECT_EQ(all[from].size(), outgoing.size());
      const auto sent = all[from].subspan(static_cast<std::size_t>(rank_) * block, block);
      std::copy(sent.begin(), sent.end(), incoming.begin() + static_cast<long>(from * block));
    }
    threads_.wait();
  }
  std::vector<Distance> collect(std::span<const Distance> mine) override {
    std::vector<Distance> all;
    for (const auto part : threads_.publish(rank_, mine))
      all.insert(all.end(), part.begin(), part.end());
    threads_.wait();
    return all;
  }

 private:
  apps::ThreadRanks& threads_;
  int rank_;
  int ranks_;
};

}  // namespace tasuki::sssp
