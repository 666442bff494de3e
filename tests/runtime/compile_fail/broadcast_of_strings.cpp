// Collectives copy bytes.
#include <tasuki/tasuki.hpp>

int main() {
  std::vector<std::string> names(3);
  tasuki::broadcast(std::span(names), 0);  // refused
}
