// Solves linear equations by dgefa and dgesl on one core: linpack_local N REPETITIONS prints the
// seconds of each repetition as JSON.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "dgefa.hpp"

namespace {

double solve_s(std::int64_t n) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> random(-1, 1);
  std::vector<double> a(static_cast<std::size_t>(n * n));
  for (double& one : a) one = random(engine);
  std::vector<double> b(static_cast<std::size_t>(n), 0.0);
  for (std::int64_t i = 0; i < n * n; ++i) b[static_cast<std::size_t>(i % n)] += a[i];
  const linpack::Matrix matrix{n, a};
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::int64_t> pivots = linpack::dgefa(matrix);
  linpack::dgesl(matrix, pivots, b, false);
  const auto end = std::chrono::steady_clock::now();
  for (const double one : b) {
    if (std::abs(one - 1) > 1e-6) {
      std::fprintf(stderr, "linpack_local: x has an element %g instead of 1\n", one);
      std::exit(1);
    }
  }
  return std::chrono::duration<double>(end - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: linpack_local N REPETITIONS\n");
    return 2;
  }
  const long n = std::strtol(argv[1], nullptr, 10);
  const long repetitions = std::strtol(argv[2], nullptr, 10);
  const char* separator = "";
  std::printf(R"({"seconds": [)");
  for (long i = 0; i < repetitions; ++i) {
    std::printf("%s%.9f", separator, solve_s(n));
    separator = ", ";
  }
  std::printf("]}\n");
}
