// The function takes two.
#include <tasuki/tasuki.hpp>

int sum(int a, int b) { return a + b; }

int main() {
  const int three = tasuki::invoke(0, sum, 3);  // refused
  return three;
}
