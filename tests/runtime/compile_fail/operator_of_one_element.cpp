// A reduction makes one element of two.
#include <tasuki/tasuki.hpp>

int main() {
  return tasuki::allreduce(1, [](int number) { return -number; });  // refused
}
