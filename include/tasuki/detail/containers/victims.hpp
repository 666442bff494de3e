// Whom a rank asks for work: some others at random, then a few that are always the same.
//
// Those that are the same, its lifelines, are its neighbours in a hypercube, so that work that one
// rank has comes to every rank that rests, over log2(ranks) others at most (Saraswat and others,
// "Lifeline-based global load balancing", 2011). Used by Bag. Thread-safety: none.
#pragma once

#include <random>
#include <span>
#include <vector>

namespace tasuki::containers {

class Victims {
 public:
  Victims(int rank, int ranks);

  /// At random; the same one may come twice. Valid until the next call.
  std::span<const int> some();
  std::span<const int> lifelines() const noexcept { return lifelines_; }

 private:
  int rank_;
  int ranks_;
  std::minstd_rand engine_;
  std::vector<int> some_;
  std::vector<int> lifelines_;
};

}  // namespace tasuki::containers
