// A program that joins a job of the shm transport, of another build than the tests are.
#include <cstdio>
#include <exception>
#include <tasuki/transport/transport.hpp>

#include "transport/shm/shm_transport.hpp"

int main() {
  try {
    tasuki::transport::shm::shm_descriptor().open()->start();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
