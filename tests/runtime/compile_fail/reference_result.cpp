// A reference to something on another rank cannot be returned.
#include <tasuki/tasuki.hpp>

int counter = 0;
int& find() { return counter; }

int main() {
  return tasuki::invoke(0, find);  // refused
}
