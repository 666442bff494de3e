// What is captured may change between the computation ahead and the call.
#include <tasuki/predict.hpp>

int main() {
  const int factor = 3;
  const auto scaled = [factor](const int& number) { return factor * number; };
  return tasuki::predict::speculate(scaled, 7);  // refused
}
