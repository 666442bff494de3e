// Such a vector has bits, and no numbers that are in memory.
#include <tasuki/remote.hpp>
#include <vector>

int main() {
  std::vector<bool> flags(4);
  tasuki::rpc::call("linpack/solve", 2, flags);  // refused
}
