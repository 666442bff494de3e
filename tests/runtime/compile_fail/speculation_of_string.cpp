// The bytes of a string are not its text.
#include <string>
#include <tasuki/predict.hpp>

int main() {
  const std::string text = "text";
  return tasuki::predict::speculate([](const std::string& of) { return of.empty() ? 0 : 1; }, text);
}
