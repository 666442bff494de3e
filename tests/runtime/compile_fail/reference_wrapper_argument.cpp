// A reference_wrapper is a pointer.
#include <tasuki/tasuki.hpp>

void raise(int) {}

int main() {
  int value = 1;
  tasuki::post(0, raise, std::ref(value));  // refused
}
