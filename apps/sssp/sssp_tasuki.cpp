// Shortest paths over Tasuki: beside sssp_mpi.cpp, with the same search.

#include "sssp/node.hpp"
#include "sssp/tasuki_exchange.hpp"

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_on_every_rank(argc, argv, sssp::parse_options,
                                 sssp::run<apps::TasukiJob, sssp::TasukiExchange>);
}
