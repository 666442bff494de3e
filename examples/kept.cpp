// examples/kept.cpp
#include <cstdio>
#include <tasuki/remote.hpp>
#include <vector>

// Leaves a matrix on the ranks of the server that TASUKI_SERVER names, and solves equations with
// it.
int main() {
  try {
    tasuki::rpc::Server server;
    const double a[2][2] = {{2, 1}, {1, 3}};
    tasuki::rpc::RemoteArray kept = server.put("linpack", "solve", "A", {{"n", 2}}, a);
    for (const double scale : {1.0, 2.0}) {
      const std::vector<double> b = {5 * scale, 10 * scale};
      const std::vector<double> x = server.call("linpack/solve", 2, kept, b);
      std::printf("x = %g, y = %g\n", x[0], x[1]);
    }

    // All that programs of this user have left there, also others.
    for (const tasuki::rpc::KeptOnRanks& one : server.kept()) {
      const bool is_freed = server.discard(one.name);
      std::printf("%s of %s: %zu dimensions, %lld bytes; freed: %d\n", one.what.c_str(),
                  one.module.c_str(), one.extents.size(), static_cast<long long>(one.bytes),
                  is_freed);
    }
    kept.free();
    server.call("linpack/solve", 2, kept, std::vector<double>{5, 10});
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
}
