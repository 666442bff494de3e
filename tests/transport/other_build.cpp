// A program that joins a job, of another build than the tests are.
#include <cstdio>
#include <exception>
#include <tasuki/detail/transport/registry.hpp>

int main() {
  try {
    tasuki::transport::open_transport()->start();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
