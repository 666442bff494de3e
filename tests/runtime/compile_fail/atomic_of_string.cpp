// No processor swaps strings at once.
#include <tasuki/tasuki.hpp>

int main() {
  const tasuki::GlobalPtr<std::string> text;
  text.swap("other");  // refused
}
