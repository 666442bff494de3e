#include <tasuki/predict.hpp>

int twice(const int& number) noexcept { return 2 * number; }

int main() {
  return tasuki::predict::speculate(twice, 7);  // refused
}
