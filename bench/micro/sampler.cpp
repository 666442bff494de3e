#include "sampler.hpp"

#include <algorithm>
#include <cmath>
#include <tasuki/tasuki.hpp>

#include "cache_line.hpp"

namespace tasuki::bench {
namespace {

struct Sample {
  double value;
  double baseline;
  double cache_line_ns;
};

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)));
  return values[at];
}

bool agree(double a, double b) { return std::abs(a - b) <= 0.15 * std::max(a, b); }

Row summarise(const Benchmark& benchmark, const std::string& level,
              const std::vector<Sample>& samples) {
  std::vector<double> values, baselines, ratios, cache_lines;
  for (const Sample& sample : samples) {
    values.push_back(sample.value);
    cache_lines.push_back(sample.cache_line_ns);
    if (!benchmark.baseline) continue;
    baselines.push_back(sample.baseline);
    ratios.push_back(sample.value / sample.baseline);
  }
  Row row;
  row.name = benchmark.name;
  row.unit = benchmark.unit;
  row.level = level;
  row.value = median(values);
  row.spread = (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / row.value;
  row.cache_line_ns = median(cache_lines);
  row.repetitions_count = static_cast<int>(samples.size());
  // A baseline that cannot be taken here, such as a cache line without common memory, says 0.
  if (benchmark.baseline && median(baselines) > 0) {
    row.baseline_name = benchmark.baseline_name;
    row.baseline_value = median(baselines);
    row.ratio = median(ratios);
  }
  return row;
}

}  // namespace

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::vector<Row> run(const Benchmark& benchmark) {
  std::map<std::string, std::vector<Sample>> levels;
  benchmark.measure();  // warm-up
  if (benchmark.baseline) benchmark.baseline();
  double before_ns = cache_line_ns();
  for (int i = 0; i < benchmark.samples_count; ++i) {
    barrier();
    const double value = benchmark.measure();
    double baseline = 0;
    if (benchmark.baseline) {
      barrier();
      baseline = benchmark.baseline();
    }
    const double after_ns = cache_line_ns();
    if (agree(before_ns, after_ns)) {
      const double raw_ns = (before_ns + after_ns) / 2;
      levels[raw_ns < near_below_ns ? "near" : "far"].push_back({value, baseline, raw_ns});
    }
    before_ns = after_ns;
  }
  std::vector<Row> rows;
  if (rank() != 0) return rows;
  for (const auto& [level, samples] : levels) {
    // A handful of samples is an accident of the level's change, not a measurement.
    if (samples.size() >= 5) rows.push_back(summarise(benchmark, level, samples));
  }
  return rows;
}

}  // namespace tasuki::bench
