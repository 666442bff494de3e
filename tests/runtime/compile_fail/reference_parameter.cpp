// Arguments arrive as values of their own.
#include <tasuki/tasuki.hpp>

void raise(int& value) { ++value; }

int main() {
  int value = 1;
  tasuki::post(0, raise, value);  // refused
}
