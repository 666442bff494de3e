// Reading copies bytes, which do not make a string.
#include <tasuki/tasuki.hpp>

int main() {
  const tasuki::GlobalPtr<std::string> name;
  return static_cast<int>(name.read().size());  // refused
}
