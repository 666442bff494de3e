// Only integers have bits that count one by one.
#include <tasuki/tasuki.hpp>

int main() {
  const tasuki::GlobalPtr<double> number;
  number.bit_and(1.5);  // refused
}
