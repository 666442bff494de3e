// A result travels, too.
#include <tasuki/tasuki.hpp>

int* find() { return nullptr; }

int main() {
  return tasuki::invoke(0, find) == nullptr ? 0 : 1;  // refused
}
