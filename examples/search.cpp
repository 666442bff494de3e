// examples/search.cpp
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tasuki/remote.hpp>

namespace {

// Runs here, for the routine on the server.
void parabola(const double* x, double* value) { *value = (*x - 3) * (*x - 3); }

}  // namespace

// Calls examples/minimum.idl on the server that TASUKI_SERVER names: texts, a file and a function.
int main(int, char** argv) {
  try {
    const std::string method = "halving";
    std::array<double, 1> x{};
    std::array<char*, 1> message{};
    tasuki::rpc::call("minimum/search", method, 40, parabola, x, message, argv[1]);
    std::printf("minimum at %.3f, %s\n", x[0], message[0]);
    std::free(message[0]);
    tasuki::rpc::call("minimum/search", "guessing", 40, parabola, x, message, argv[1]);
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
}
