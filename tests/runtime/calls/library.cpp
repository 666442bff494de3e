// A shared library that library_test.cpp loads: functions of its own, and calls made from inside.
#include <stdexcept>
#include <string>
#include <tasuki/tasuki.hpp>

namespace {

int seven_times(int x) { return 7 * x; }

struct Counter {
  int count = 0;
  int add(int more) { return count += more; }
};

}  // namespace

extern "C" {

int library_add(int a, int b) { return a + b; }

void library_member(int (Counter::** member)(int)) { *member = &Counter::add; }

void library_throw() { throw std::range_error("from the library"); }

/// Handlers that live in the library.
int library_calls(int rank, int x) {
  const auto text = tasuki::invoke(
      rank, [offset = 1](const std::string& tail) { return std::to_string(offset) + tail; },
      std::string("!"));
  return tasuki::invoke(rank, seven_times, x) + static_cast<int>(text.size());
}
}
