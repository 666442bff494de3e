#include "measure/mpi_ranks.hpp"

#include <mpi.h>

#include <algorithm>

namespace tasuki::measure {

MpiRanks::MpiRanks() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

double MpiRanks::max(double value) const {
  for (int distance = 1; distance < size_; distance *= 2) {
    double other = 0;
    MPI_Sendrecv(&value, 1, MPI_DOUBLE, (rank_ + distance) % size_, 0, &other, 1, MPI_DOUBLE,
                 (rank_ - distance + size_) % size_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = std::max(value, other);
  }
  return value;
}

}  // namespace tasuki::measure
