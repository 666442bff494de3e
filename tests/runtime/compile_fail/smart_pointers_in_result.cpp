// The same in a result, inside a container.
#include <tasuki/tasuki.hpp>

std::vector<std::shared_ptr<int>> make() { return {}; }

int main() {
  tasuki::invoke(0, make);  // refused
}
