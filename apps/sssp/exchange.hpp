// How the ranks of a search talk: what the programs over Tasuki and over MPI provide.
//
// All operations are collective. Thread-safety: one per rank, from its own thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "common/measurement.hpp"
#include "sssp/graph.hpp"

namespace tasuki::sssp {

/// To the owner of a node: there is a path of this length. Trivially copyable: it travels as it is.
struct Request {
  Distance distance = infinity;
  Node index = 0;  ///< Among the nodes of its owner.
};

class Exchange {
 public:
  Exchange(double (*now_s)(), bool split) noexcept : stopwatch_(now_s, split) {}
  virtual ~Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  virtual void barrier() = 0;
  /// `bytes` of rank 0 to all; as many everywhere.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// Each value becomes the least of all ranks.
  void minimise(std::span<Distance> values) {
    if (stopwatch_.is_split()) {  // Only so that waiting and communication are told apart.
      const apps::Stopwatch::Wait clocked(stopwatch_);
      barrier();
    }
    const apps::Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, values.size_bytes());
    allreduce_minimum(values);
  }
  /// Block j of rank i's `outgoing` becomes block i of rank j's `incoming`; all blocks are equal.
  void transpose(std::span<const Request> outgoing, std::span<Request> incoming) {
    const apps::Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, outgoing.size_bytes());
    alltoall(outgoing, incoming);
  }
  /// Returns: on rank 0 the values of all ranks, by rank; elsewhere nothing.
  virtual std::vector<Distance> collect(std::span<const Distance> mine) = 0;

  apps::Stopwatch& stopwatch() noexcept { return stopwatch_; }

 private:
  /// As `minimise` and `transpose`.
  virtual void allreduce_minimum(std::span<Distance> values) = 0;
  virtual void alltoall(std::span<const Request> outgoing, std::span<Request> incoming) = 0;

  apps::Stopwatch stopwatch_;
};

}  // namespace tasuki::sssp
