// Arguments of member functions, too, arrive as values of their own.
#include <tasuki/tasuki.hpp>

struct Counter {
  void add_to(int& sum) const { sum += count; }
  int count = 0;
};

int main() {
  int sum = 0;
  tasuki::invoke(tasuki::GlobalPtr<Counter>(), &Counter::add_to, sum);  // refused
}
