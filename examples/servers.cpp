// examples/servers.cpp
#include <iostream>
#include <string>
#include <tasuki/remote.hpp>
#include <vector>

// Solves 2 x + y = 5, x + 3 y = 10 again for each line that it reads, on one of several servers,
// whose addresses have commas in between: servers tasuki://a:7777,tasuki://b:7777
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::vector<double> a = {2, 1, 1, 3}, b = {5, 10};
  tasuki::rpc::Server server(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    try {
      const std::vector<double> x = server.call("linpack/solve", 2, a, b);
      std::cout << "x = " << x[0] << ", y = " << x[1] << " on " << server.url() << std::endl;
    } catch (const tasuki::rpc::call_error& error) {
      std::cout << "may have run: " << error.may_have_run() << "; " << error.what() << std::endl;
    }
  }
}
