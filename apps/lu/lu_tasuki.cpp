// LU over Tasuki: beside lu_mpi.cpp, with the same numerical code.

#include "common/tasuki_program.hpp"
#include "lu/node.hpp"
#include "lu/tasuki_exchange.hpp"

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_on_every_rank(argc, argv, lu::parse_options,
                                 lu::run<apps::TasukiJob, lu::TasukiExchange>);
}
