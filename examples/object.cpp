// examples/object.cpp
#include <cstdint>
#include <cstdio>
#include <tasuki/remote.hpp>

// Counts with two objects on the server that TASUKI_SERVER names.
int main() {
  try {
    tasuki::rpc::Server server;
    tasuki::rpc::Object first(server, "stats/Counter");
    tasuki::rpc::Object second(server, "Counter");
    std::int64_t now[1] = {};
    for (int step = 1; step <= 3; ++step) first.call("add", step, now);
    second.call("add", 1000, now);
    first.call("add", 0, now);
    std::printf("%lld\n", static_cast<long long>(now[0]));
    first.call("subtract", 1, now);
  } catch (const tasuki::rpc::call_error& fault) {
    std::puts(fault.what());
  }
}
