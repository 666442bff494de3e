// As bad_sizes.c, by remote.hpp.
#include <cstdint>
#include <cstdio>
#include <string>
#include <tasuki/remote.hpp>
#include <vector>

int main(int argc, char** argv) {
  tasuki::rpc::Server server(argv[1]);
  const std::vector<double> x = {1, 2, 3};
  for (int i = 2; i + 2 < argc; i += 3) {
    const std::string type = argv[i + 1], n = argv[i + 2];
    try {
      if (type == "float64") {
        server.call(argv[i], std::stod(n), x);
      } else if (type == "uint64") {
        server.call(argv[i], std::uint64_t{std::stoull(n)}, x);
      } else {
        server.call(argv[i], std::int64_t{std::stoll(n)}, x);
      }
      std::puts("it was called");
    } catch (const tasuki::rpc::call_error& fault) {
      std::puts(fault.what());
    }
  }
}
