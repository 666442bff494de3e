// The ranks of a plain MPI program, and what they tell each other beside the collective that is
// measured: by ordinary messages, in which no forced algorithm has a say. Base of the libraries of
// mpi_measure_MPI. Thread-safety: main thread only, after MPI_Init.
#pragma once

namespace tasuki::measure {

class MpiRanks {
 public:
  MpiRanks();

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// Collective.
  void barrier() const { max(0); }
  /// Of the values of all ranks. Collective.
  double max(double value) const;

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace tasuki::measure
