// examples/named_functions.cpp
#include <cstdio>
#include <string>
#include <tasuki/named.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

namespace {

std::vector<double> simulate(int steps, double speed) {
  std::vector<double> places;
  for (int step = 0; step < steps; ++step) places.push_back(speed * step + tasuki::rank());
  return places;
}

// The other program calls this one ...
const tasuki::Named simulate_named{"simulate", &simulate};
// ... and this one calls that one.
const tasuki::Named<double(std::vector<double>)> mean{"mean"};
const tasuki::Named<void(std::string)> note{"note"};

void run_rank() {
  const int analysis = tasuki::size() - 1;
  if (tasuki::rank() == 0) {
    tasuki::Future<double> later = mean.ainvoke(analysis, {4.0, 5.0});
    std::printf("C++: mean %.1f\n", mean.invoke(analysis, {1.0, 2.0, 3.0}));
    std::printf("C++: %s %.1f\n", mean.name().c_str(), later.get());
    try {
      mean.invoke(analysis, {});
    } catch (const tasuki::remote_error& failure) {
      std::printf("C++: %s failed on rank %d\n", failure.function().c_str(), failure.remote_rank());
    }
    note.post(analysis, "from rank 0");
  }
  tasuki::barrier();
}

}  // namespace

int main(int argc, char** argv) { return tasuki::run(argc, argv, run_rank); }
