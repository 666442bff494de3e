// The bytes of a string are not its text.
#include <string>
#include <tasuki/predict.hpp>

int size_of(const std::string& text) { return static_cast<int>(text.size()); }

int main() {
  return tasuki::predict::speculate(size_of, std::string("text"));  // refused
}
