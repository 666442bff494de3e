// The support for smart pointers is not included.
#include <tasuki/tasuki.hpp>

void take(const std::unique_ptr<int>&) {}

int main() {
  tasuki::post(0, take, std::make_unique<int>(1));  // refused
}
