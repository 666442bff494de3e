#include "suites.hpp"

namespace tasuki::bench {

const MpiBaselines& mpi_baselines() {
  static const MpiBaselines none;
  return none;
}

}  // namespace tasuki::bench
