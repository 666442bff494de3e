// examples/first.cpp
#include <tasuki/tasuki.hpp>

#include <cstdio>

int fib(int n) {
  if (n < 2) return n;
  auto next = tasuki::ainvoke((tasuki::rank() + 1) % tasuki::size(), fib, n - 1);  // any rank
  return fib(n - 2) + next.get();  // a function called remotely may wait
}

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    if (tasuki::rank() == 0) std::printf("fib(20) = %d\n", fib(20));
  });
}
