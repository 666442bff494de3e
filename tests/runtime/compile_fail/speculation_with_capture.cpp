// What is captured may change between the computation ahead and the call.
#include <tasuki/predict.hpp>

int main() {
  const int factor = 3;
  return tasuki::predict::speculate([factor](const int& number) { return factor * number; }, 7);
}
