// Radix sort over Tasuki: beside radixsort_mpi.cpp, with the same numerical code.

#include "common/tasuki_program.hpp"
#include "radixsort/node.hpp"
#include "radixsort/tasuki_exchange.hpp"

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_on_every_rank(argc, argv, radixsort::parse_options,
                                 radixsort::run<apps::TasukiJob, radixsort::TasukiExchange>);
}
