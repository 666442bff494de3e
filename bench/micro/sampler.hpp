// The sampler: measures a thing and its baseline in turn, between samples of the raw cache-line
// time; row.hpp makes rows of the samples. Both ranks call everything; rank 0's clock counts.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "row.hpp"

namespace tasuki::bench {

/// What one measurement is called and how it is made. `measure` and `baseline` (which may be
/// missing) run on all ranks and return, on rank 0, the value of one sample.
struct Benchmark {
  std::string name;
  std::string unit;
  std::function<double()> measure;
  std::string baseline_name;
  std::function<double()> baseline;
  int samples_count = 30;
  std::size_t size_bytes = 0;  ///< As in Subject.
};

/// Returns: on rank 0 what `rows_of` makes of the samples; elsewhere nothing. Collective.
std::vector<Row> run(const Benchmark& benchmark);

}  // namespace tasuki::bench
