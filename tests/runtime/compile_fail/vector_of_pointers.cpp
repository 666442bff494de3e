// What a container visibly holds is checked as well.
#include <tasuki/tasuki.hpp>

void take(const std::vector<int*>&) {}

int main() {
  tasuki::post(0, take, std::vector<int*>());  // refused
}
