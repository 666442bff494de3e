// A row of results, and how it comes from samples.
//
// The time that a cache line takes from core to core jumps between two levels on many machines
// (virtual ones above all). A sample counts only if the raw time before it and after it agree, and
// the levels are reported apart. Called by rank 0 when it has measured. Thread-safety: pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/json.hpp"

namespace tasuki::bench {

/// One value and that of its baseline (0: there is none, or it cannot be taken here, such as a
/// cache line without common memory), between two raw one-way cache-line times.
struct Sample {
  double value = 0;
  double baseline = 0;
  double line_before_ns = 0;
  double line_after_ns = 0;
  /// Messages that this rank took in for the value, and those whose bytes it then had to copy.
  std::uint64_t received = 0;
  std::uint64_t received_copied = 0;
};

/// What was measured.
struct Subject {
  std::string name, unit, baseline_name;
  std::size_t size_bytes = 0;  ///< That its name gives; 0: it has no sizes.
};

struct Row {
  std::string name, unit, baseline_name, level;
  std::size_t size_bytes = 0;  ///< As in Subject.
  double value = 0;
  double spread = 0;  ///< Half the distance between the quartiles, as a fraction of the median.
  double baseline_value = 0;
  double ratio = 0;  ///< Median of the ratios of neighbouring samples.
  double cache_line_ns = 0;
  int repetitions_count = 0;
  std::uint64_t received = 0;  ///< As in Sample, in all samples.
  std::uint64_t received_copied = 0;
  std::string missing;  ///< Why there is no value; then only name and unit say something.
};

/// Below this a raw one-way cache-line time counts as near. Measured on a two-core virtual machine
/// whose levels were 55 and 250 ns.
inline constexpr double near_below_ns = 120;
/// A handful of samples is an accident of the level's change, not a measurement.
inline constexpr std::size_t samples_of_level_least = 5;

/// Returns: one row per level with enough samples; if there is none, one that says why.
std::vector<Row> rows_of(const Subject& subject, const std::vector<Sample>& samples);

/// The row as an object of JSON, as docs/formats/bench.md has it.
apps::Json to_json(const Row& row);

double median(std::vector<double> values);

}  // namespace tasuki::bench
