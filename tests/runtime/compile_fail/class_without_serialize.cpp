// A class with members that are not trivially copyable needs a serialize function.
#include <tasuki/tasuki.hpp>

struct Person {
  std::string name;
};
void take(const Person&) {}

int main() {
  tasuki::post(0, take, Person{"Ada"});  // refused
}
