// The requests that wait for their exchange: the ghosts with new distances, by owner.
//
// Several improvements of one ghost make one request. All pairs of ranks exchange blocks as long as
// the longest of any: with alltoallv the counts would have to be exchanged first, while the longest
// comes with the minimum that the ranks need anyway. Used by Search. Thread-safety: one per rank.
#pragma once

#include <algorithm>
#include <vector>

#include "sssp/exchange.hpp"
#include "sssp/local_graph.hpp"

namespace tasuki::sssp {

class Outbox {
 public:
  explicit Outbox(const LocalGraph& graph)
      : ghosts_(graph.ghosts),
        local_count_(graph.local_count()),
        waiting_(static_cast<std::size_t>(graph.ranks)),
        waits_(graph.ghosts.size()) {}

  /// `known` is the number of a ghost behind the rank's own nodes.
  void add(Node known) {
    const Node ghost = known - local_count_;
    if (waits_[ghost]) return;
    waits_[ghost] = true;
    waiting_[static_cast<std::size_t>(ghosts_[ghost].owner)].push_back(ghost);
  }

  /// Requests for the owner that gets most.
  std::size_t largest_count() const noexcept {
    std::size_t most = 0;
    for (const auto& ghosts : waiting_) most = std::max(most, ghosts.size());
    return most;
  }

  /// Exchanges all requests in blocks of `block` (filled up with ones of no consequence), with
  /// `distances` by known node. Returns: those for this rank. Collective.
  /// Requires: `block` is the largest largest_count() of all ranks.
  std::span<const Request> exchange(std::size_t block, std::span<const Distance> distances,
                                    Exchange& exchange) {
    outgoing_.assign(waiting_.size() * block, Request());
    incoming_.resize(outgoing_.size());
    for (std::size_t owner = 0; owner < waiting_.size(); ++owner) {
      std::size_t place = owner * block;
      for (const Node ghost : waiting_[owner]) {
        outgoing_[place++] = {distances[local_count_ + ghost], ghosts_[ghost].index};
        waits_[ghost] = false;
      }
      waiting_[owner].clear();
    }
    exchange.transpose(outgoing_, incoming_);
    return incoming_;
  }

 private:
  std::span<const LocalGraph::Ghost> ghosts_;
  Node local_count_;
  std::vector<std::vector<Node>> waiting_;  ///< By owner.
  std::vector<char> waits_;                 ///< By ghost.
  std::vector<Request> outgoing_;
  std::vector<Request> incoming_;
};

}  // namespace tasuki::sssp
