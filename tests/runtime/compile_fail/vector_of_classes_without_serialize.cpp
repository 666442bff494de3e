// The same inside a container.
#include <tasuki/tasuki.hpp>

struct Person {
  std::string name;
};
void take(const std::vector<Person>&) {}

int main() {
  tasuki::post(0, take, std::vector<Person>(1));  // refused
}
