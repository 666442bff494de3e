// examples/remote.cpp
#include <array>
#include <cstdio>
#include <tasuki/remote.hpp>
#include <vector>

// Solves 2 x + y = 5, x + 3 y = 10 on the server that TASUKI_SERVER names.
int main() {
  try {
    const std::vector<double> a = {2, 1, 1, 3}, b = {5, 10};
    std::array<double, 2> x{};
    tasuki::rpc::call("linpack/solve", 2, a, b, x);
    std::printf("x = %g, y = %g\n", x[0], x[1]);

    tasuki::rpc::Server server;  // Or Server("tasuki://localhost:7777").
    tasuki_client_set_wire_format(server.in_c(), "xdr");
    const double doubled[2][2] = {{4, 2}, {2, 6}};
    const std::string report = server.call("linpack/solve", b.size(), doubled, b, x);
    std::printf("x = %g, y = %g, connected: %d\n", x[0], x[1], server.is_connected());
    std::puts(report.c_str());

    server.call("linpack/solve", 3, a, b, x);  // The extents follow from the interface.
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
}
