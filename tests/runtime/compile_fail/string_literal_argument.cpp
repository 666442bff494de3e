// A literal is a pointer to characters.
#include <tasuki/tasuki.hpp>

void show(const std::string&) {}

int main() { tasuki::post(0, show, "text"); }
