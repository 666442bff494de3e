// examples/speculation.cpp
#include <tasuki/predict.hpp>
#include <tasuki/tasuki.hpp>

#include <cstdio>

// Pure, and defined for every number.
double harmonic(const int& number) {
  double sum = 0;
  for (int i = 1; i <= number; ++i) {
    sum += 1.0 / i;
    if (i % 256 == 0) tasuki::predict::let_messages_in();
  }
  return sum;
}

int main(int argc, char** argv) {
  return tasuki::run_master(argc, argv, [] {
    double total = 0;
    for (int number = 1000; number < 1100; number += 2) {
      // While this rank adds up, the other one computes what will be asked for next.
      total += tasuki::invoke(
          tasuki::size() - 1, [](int asked) { return tasuki::predict::speculate(harmonic, asked); },
          number);
    }
    std::printf("%.3f\n", total);
  });
}
