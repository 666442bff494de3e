// Captures are copied byte by byte.
#include <tasuki/tasuki.hpp>

int main() {
  const std::string text = "text";
  tasuki::post(0, [text] { static_cast<void>(text); });  // refused
}
