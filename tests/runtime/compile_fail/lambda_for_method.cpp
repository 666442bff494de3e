#include <tasuki/tasuki.hpp>

int main() {
  const tasuki::GlobalPtr<std::string> text;
  tasuki::post(text, [](std::string& its) { its.clear(); });  // refused
}
