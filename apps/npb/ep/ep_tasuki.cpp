// NPB EP over Tasuki: beside ep_mpi.cpp, with the same numerical code.

#include "npb/common/tasuki_sums.hpp"
#include "npb/ep/node.hpp"

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_on_every_rank(argc, argv, parse_options, ep::run<TasukiJob, TasukiSums>);
}
