// A span points to elements that stay behind.
#include <tasuki/tasuki.hpp>

int sum(std::span<const int> values) { return values.empty() ? 0 : values[0]; }

int main() {
  const int values[3] = {1, 2, 3};
  return tasuki::invoke(0, sum, std::span<const int>(values));  // refused
}
