// examples/permutation.cpp
#include <tasuki/tasuki.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

// Of each rank. Darts are thrown at twice as many places until each has one of its own: the order
// of the places is a random permutation of the darts.
struct Wall {
  std::vector<long> places = std::vector<long>(2000, -1);  // -1: free
  std::minstd_rand random;
};
Wall wall;

void throw_dart(long dart);

// Runs on the rank that has the place. If that is taken, the dart is thrown again, from there.
void hit(std::size_t place, long dart) {
  if (wall.places[place] >= 0) {
    throw_dart(dart);
  } else {
    wall.places[place] = dart;
  }
}

void throw_dart(long dart) {
  const auto ranks = static_cast<std::size_t>(tasuki::size());
  const std::size_t place = wall.random() % (ranks * wall.places.size());
  tasuki::post(static_cast<int>(place % ranks), hit, place / ranks, dart);
}

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr long own_darts = 1000;
    wall.random.seed(static_cast<unsigned>(tasuki::rank()) + 1);
    for (long i = 0; i < own_darts; ++i) throw_dart(tasuki::rank() * own_darts + i);
    tasuki::quiesce();  // also the calls that calls have made are done

    std::vector<long> own = wall.places;
    own.erase(std::remove(own.begin(), own.end(), -1), own.end());

    // Verified: side by side, all darts are there once, and not in their old order.
    tasuki::Blocks blocks;
    blocks.counts = tasuki::allgather(own.size());
    std::vector<long> all(static_cast<std::size_t>(tasuki::size() * own_darts));
    tasuki::allgatherv<long>(own, all, blocks);
    const bool is_shuffled = !std::is_sorted(all.begin(), all.end());
    std::sort(all.begin(), all.end());
    long missing = 0;
    for (std::size_t i = 0; i < all.size(); ++i) missing += all[i] != static_cast<long>(i);
    if (tasuki::rank() == 0) {
      std::printf("%zu darts, %ld missing, shuffled: %d\n", all.size(), missing, is_shuffled);
    }
  });
}
