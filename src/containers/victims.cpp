#include <tasuki/detail/containers/victims.hpp>

#include <algorithm>

namespace tasuki::containers {
namespace {

/// As many as in the paper's measurements suffice beside the lifelines.
constexpr int some_most = 2;

}  // namespace

Victims::Victims(int rank, int ranks)
    : rank_(rank),
      ranks_(ranks),
      engine_(static_cast<unsigned>(rank) + 1),
      some_(static_cast<std::size_t>(std::min(ranks - 1, some_most))) {
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int neighbour = rank ^ distance;
    if (neighbour < ranks) lifelines_.push_back(neighbour);
  }
}

std::span<const int> Victims::some() {
  for (int& victim : some_) {
    std::uniform_int_distribution<int> other(1, ranks_ - 1);
    victim = (rank_ + other(engine_)) % ranks_;
  }
  return some_;
}

}  // namespace tasuki::containers
