// NPB EP over MPI: beside ep_tasuki.cpp, with the same numerical code.

#include "npb/common/mpi_sums.hpp"
#include "npb/ep/node.hpp"

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_mpi_program(argc, argv, parse_options, ep::run<MpiJob, MpiSums>);
}
