// A string_view points to characters that stay behind.
#include <tasuki/tasuki.hpp>

void show(std::string_view) {}

int main() {
  tasuki::post(0, show, std::string_view("text"));  // refused
}
