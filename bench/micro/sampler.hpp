// The sampler: measures a thing and its baseline in turn, between samples of the raw cache-line
// time.
//
// The time that a cache line takes from core to core jumps between two levels on many machines
// (virtual ones above all). A sample counts only if the raw time before it and after it agree, and
// the levels are reported apart. Both ranks call everything; rank 0's clock counts. Thread-safety:
// none; the rank's own thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tasuki::bench {

/// What one measurement is called and how it is made. `measure` and `baseline` run on all ranks and
/// return, on rank 0, the value of one sample.
struct Benchmark {
  std::string name;
  std::string unit;
  std::function<double()> measure;
  std::string baseline_name;
  std::function<double()> baseline;
  int samples_count = 30;
};

struct Row {
  std::string name, unit, baseline_name, level;
  double value = 0;
  double spread = 0;  ///< Half the distance between the quartiles, as a fraction of the median.
  double baseline_value = 0;
  double ratio = 0;  ///< Median of the ratios of neighbouring samples.
  double cache_line_ns = 0;
  int repetitions_count = 0;
};

/// Below this a raw one-way cache-line time counts as near. Measured on a two-core virtual machine
/// whose levels were 55 and 250 ns.
inline constexpr double near_below_ns = 120;

/// Returns: on rank 0 one row per level seen; elsewhere nothing. Collective.
std::vector<Row> run(const Benchmark& benchmark);

double median(std::vector<double> values);

}  // namespace tasuki::bench
