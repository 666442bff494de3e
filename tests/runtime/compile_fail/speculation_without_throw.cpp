#include <tasuki/predict.hpp>

int speculated(int number) {
  return tasuki::predict::speculate([](const int& of) noexcept { return 2 * of; }, number);
}
