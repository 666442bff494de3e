// examples/calls.cpp
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

double mean(const std::vector<double>& values) {
  if (values.empty()) throw std::invalid_argument("mean of nothing");
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    if (tasuki::rank() != 0) return;
    const int last = tasuki::size() - 1;

    // Waits for the result; a vector travels because cereal can serialise it.
    std::printf("mean %.1f\n", tasuki::invoke(last, mean, std::vector<double>{1, 2, 3}));

    // What the function throws comes back.
    try {
      tasuki::invoke(last, mean, std::vector<double>{});
    } catch (const std::invalid_argument& e) {
      std::printf("rank %d says: %s\n", last, e.what());
    }

    // One-way: nobody waits, small calls travel together; quiesce() waits for all of them.
    for (int i = 0; i < 3; ++i) {
      tasuki::post(
          last, [](const std::string& text) { std::printf("%s\n", text.c_str()); },
          "call " + std::to_string(i));
    }
  });
}
