#include <tasuki/tasuki.hpp>

int main() {
  const tasuki::GlobalPtr<std::string> text;
  tasuki::invoke(text, &std::string::append, std::string("tail"));  // refused
}
