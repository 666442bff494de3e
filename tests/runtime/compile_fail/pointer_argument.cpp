// A raw pointer means nothing on another rank.
#include <tasuki/tasuki.hpp>

int first(const int* values) { return values[0]; }

int main() {
  int value = 1;
  return tasuki::invoke(0, first, &value);  // refused
}
