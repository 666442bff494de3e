#include <tasuki/tasuki.hpp>

#include <cmath>

int main() {
  tasuki::ainvoke(tasuki::local_team(), 0, std::sin, 1.0);  // refused
}
