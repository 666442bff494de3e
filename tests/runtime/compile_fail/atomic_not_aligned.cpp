// Two ints may lie across two cache lines, where no atomic operation reaches both at once.
#include <tasuki/tasuki.hpp>

struct TwoInts {
  int a, b;
};
struct alignas(8) AlignedInts {
  int a, b;
};
static_assert(tasuki::Atomic<AlignedInts>);

int main() {
  const tasuki::GlobalPtr<TwoInts> both;
  return both.swap({1, 2}).a;  // refused
}
