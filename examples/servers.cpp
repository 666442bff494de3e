// examples/servers.cpp
#include <cstdio>
#include <iostream>
#include <string>
#include <tasuki/remote.hpp>
#include <vector>

void solve(tasuki::rpc::Server& server) {
  const std::vector<double> a = {2, 1, 1, 3}, b = {5, 10};
  try {
    const std::vector<double> x = server.call("linpack/solve", 2, a, b);
    std::printf("x = %g, y = %g on %s\n", x[0], x[1], server.url().c_str());
  } catch (const tasuki::rpc::call_error& error) {
    std::printf("may have run: %d; %s; %s\n", error.may_have_run(), error.kind(), error.what());
  }
  std::fflush(stdout);
}

// Solves 2 x + y = 5, x + 3 y = 10 again for each line that it reads, on one of several servers,
// whose addresses have commas in between: servers tasuki://a:7777,tasuki://b:7777
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    tasuki::rpc::Server server(argv[1]);
    for (std::string line; std::getline(std::cin, line);) solve(server);
  } catch (const tasuki::rpc::call_error& error) {
    std::puts(error.what());
    return 1;
  }
  return 0;
}
