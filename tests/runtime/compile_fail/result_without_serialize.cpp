// A result travels, too.
#include <tasuki/tasuki.hpp>

struct Person {
  std::string name;
};
Person find() { return {"Ada"}; }

int main() {
  auto person = tasuki::ainvoke(0, find);  // refused
  return static_cast<int>(person.get().name.size());
}
