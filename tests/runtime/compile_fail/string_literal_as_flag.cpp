// A pointer converts to bool, which is hardly what is meant.
#include <tasuki/tasuki.hpp>

void show(bool) {}

int main() {
  tasuki::post(0, show, "text");  // refused
}
