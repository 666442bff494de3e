// Who has only a pointer to const is not to change the object.
#include <tasuki/tasuki.hpp>

int main() {
  int variable = 0;
  const tasuki::GlobalPtr<const int> to_read = tasuki::global_ptr(&variable);
  to_read.write(1);  // refused
}
