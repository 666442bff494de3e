// Seeded random matrices and right sides for tests of what solves linear equations.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "linpack/dgefa.hpp"

namespace linpack {

inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

class RandomEquations {
 public:
  RandomEquations(std::int64_t n, unsigned seed) : n_(n), engine_(seed) {}

  /// n columns of n elements.
  std::vector<double> columns() { return numbers(n_ * n_); }
  std::vector<double> right_side() { return numbers(n_); }

 private:
  std::vector<double> numbers(std::int64_t count) {
    std::uniform_real_distribution<double> random(-1, 1);
    std::vector<double> made(at(count));
    for (double& one : made) one = random(engine_);
    return made;
  }

  std::int64_t n_;
  std::mt19937_64 engine_;
};

}  // namespace linpack
