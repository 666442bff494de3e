#include <tasuki/tasuki.hpp>

#include <cmath>

int main() {
  tasuki::post(0, std::sin, 1.0);  // refused
}
