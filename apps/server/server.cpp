// The front end of `tasuki serve`.
#include <tasuki/detail/rpc/server/server_program.hpp>

int main() { return tasuki::rpc::run_server(); }
