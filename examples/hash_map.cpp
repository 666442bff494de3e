// examples/hash_map.cpp
#include <tasuki/containers/hash_map.hpp>
#include <tasuki/tasuki.hpp>

#include <cstdio>

// Squares of chess by their numbers, and how many moves a knight needs from a corner, plus 1.
using Squares = tasuki::HashMap<int, int>;

// Runs on the rank that has the square.
void arrive(Squares& squares, int square, int& moves_plus_1, int moves) {
  if (moves_plus_1 != 0 && moves_plus_1 <= moves + 1) return;  // there before, by as few moves
  moves_plus_1 = moves + 1;
  const int row = square / 8;
  const int column = square % 8;
  for (int down : {-2, -1, 1, 2}) {
    for (int right : {-2, -1, 1, 2}) {
      const bool is_inside = row + down >= 0 && row + down < 8 && column + right >= 0 &&
                             column + right < 8 && down * down != right * right;
      if (is_inside) squares.async_visit_or_insert(square + 8 * down + right, arrive, moves + 1);
    }
  }
}

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    Squares squares;
    if (tasuki::rank() == 0) squares.async_visit_or_insert(0, arrive, 0);
    const auto is_farther = [](const auto& a, const auto& b) { return a.second > b.second; };
    const auto farthest = squares.top_k(1, is_farther);
    const std::size_t count = squares.size();
    if (tasuki::rank() == 0) {
      std::printf("%zu squares; %d is the farthest, by %d moves\n", count, farthest[0].first,
                  farthest[0].second - 1);
    }
  });
}
