// examples/remote.cpp
#include <array>
#include <cstdio>
#include <tasuki/remote.hpp>
#include <vector>

// Solves 2 x + y = 5, x + 3 y = 10 on the server that TASUKI_SERVER names.
int main() {
  try {
    const std::vector<double> a = {2, 1, 1, 3}, b = {5, 10};
    std::vector<double> x = tasuki::rpc::call("linpack/solve", 2, a, b);
    std::printf("x = %g, y = %g\n", x[0], x[1]);

    std::array<double, 2> y{};
    auto other = tasuki::rpc::call_async("linpack/solve", 2, a, b, y);  // Results go to y.
    tasuki::rpc::Server server;  // Or Server("tasuki://localhost:7777").
    // For calls that choose neither, there are TASUKI_RPC_MODE and TASUKI_RPC_WIRE.
    server.set_mode("relay");
    server.set_wire_format("xdr");
    const double doubled[2][2] = {{4, 2}, {2, 6}};
    const tasuki::rpc::Results results = server.call("linpack/solve", b.size(), doubled, b);
    x = results.get<double>(0);
    std::printf("x = %g, y = %g, connected: %d\n", x[0], x[1], server.is_connected());
    std::printf("%zu of %d: %s\n", results.count(), static_cast<int>(results.extents(0)[0]),
                results.report().c_str());
    other.wait();
    std::printf("y = %g\n", y[1]);

    server.call("linpack/solve", 3, a, b, x);  // The extents follow from the interface.
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
}
