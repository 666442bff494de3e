// The vector is gone before the call has ended.
#include <tasuki/remote.hpp>
#include <vector>

int main() {
  tasuki::rpc::call_async("linpack/solve", 2, std::vector<double>(4)).wait();  // refused
}
