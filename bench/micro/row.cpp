#include "row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tasuki::bench {
namespace {

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)));
  return values[at];
}

bool agree(double a, double b) { return std::abs(a - b) <= 0.15 * std::max(a, b); }

double line_ns(const Sample& sample) { return (sample.line_before_ns + sample.line_after_ns) / 2; }

Row summarise(const Subject& subject, const std::string& level,
              const std::vector<Sample>& samples) {
  Row row;
  std::vector<double> values, baselines, ratios, cache_lines;
  for (const Sample& sample : samples) {
    values.push_back(sample.value);
    cache_lines.push_back(line_ns(sample));
    baselines.push_back(sample.baseline);
    row.received += sample.received;
    row.received_copied += sample.received_copied;
    if (sample.baseline > 0) ratios.push_back(sample.value / sample.baseline);
  }
  row.name = subject.name;
  row.unit = subject.unit;
  row.size_bytes = subject.size_bytes;
  row.level = level;
  row.value = median(values);
  row.spread = (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / row.value;
  row.cache_line_ns = median(cache_lines);
  row.repetitions_count = static_cast<int>(samples.size());
  if (median(baselines) > 0) {
    row.baseline_name = subject.baseline_name;
    row.baseline_value = median(baselines);
    row.ratio = median(ratios);
  }
  return row;
}

Row missing_row(const Subject& subject, std::size_t samples_count, std::size_t agreeing_count) {
  Row row;
  row.name = subject.name;
  row.unit = subject.unit;
  row.missing = fmt::format(
      "the cache-line time before and after agreed for {} of {} samples, {} of one level are "
      "needed: try again when nothing else runs",
      agreeing_count, samples_count, samples_of_level_least);
  return row;
}

}  // namespace

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::vector<Row> rows_of(const Subject& subject, const std::vector<Sample>& samples) {
  std::map<std::string, std::vector<Sample>> levels;
  std::size_t agreeing_count = 0;
  for (const Sample& sample : samples) {
    if (!agree(sample.line_before_ns, sample.line_after_ns)) continue;
    ++agreeing_count;
    levels[line_ns(sample) < near_below_ns ? "near" : "far"].push_back(sample);
  }
  std::vector<Row> rows;
  for (const auto& [level, chosen] : levels) {
    if (chosen.size() >= samples_of_level_least) {
      rows.push_back(summarise(subject, level, chosen));
    }
  }
  if (rows.empty()) rows.push_back(missing_row(subject, samples.size(), agreeing_count));
  return rows;
}

apps::Json to_json(const Row& row) {
  if (!row.missing.empty()) {
    return {{"name", row.name},      {"value", nullptr}, {"unit", row.unit},
            {"repetitions", 0},      {"level", nullptr}, {"cache_line_ns", nullptr},
            {"missing", row.missing}};
  }
  apps::Json object = {{"name", row.name},
                       {"value", row.value},
                       {"unit", row.unit},
                       {"spread", row.spread},
                       {"repetitions", row.repetitions_count},
                       {"level", row.level},
                       {"cache_line_ns", row.cache_line_ns},
                       {"received", row.received},
                       {"received_copied", row.received_copied}};
  if (row.size_bytes != 0) object["size_bytes"] = row.size_bytes;
  if (!row.baseline_name.empty()) {
    object.update({{"baseline", row.baseline_name},
                   {"baseline_value", row.baseline_value},
                   {"ratio", row.ratio}});
  }
  return object;
}

}  // namespace tasuki::bench
