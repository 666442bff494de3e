// A literal is a pointer to characters, and a string_view would be the same pointer.
#include <tasuki/tasuki.hpp>

void show(std::string_view) {}

int main() {
  tasuki::post(0, show, "text");  // refused
}
