// The elements of a list lie anywhere.
#include <list>
#include <tasuki/remote.hpp>

int main() {
  tasuki::rpc::call("linpack/solve", 2, std::list<double>(4));  // refused
}
