// NPB CG over Tasuki: beside cg_mpi.cpp, with the same numerical code.

#include "common/tasuki_program.hpp"
#include "npb/cg/node.hpp"
#include "npb/cg/tasuki_exchange.hpp"

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_on_every_rank(argc, argv, parse_options, cg::run<TasukiJob, cg::TasukiExchange>);
}
