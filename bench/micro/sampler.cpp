#include "sampler.hpp"

#include <tasuki/tasuki.hpp>

#include "cache_line.hpp"

namespace tasuki::bench {
namespace {

const transport::Counters& counters() { return runtime::Rank::current().transport.counters(); }

}  // namespace

std::vector<Row> run(const Benchmark& benchmark) {
  std::vector<Sample> samples;
  benchmark.measure();  // warm-up
  if (benchmark.baseline) benchmark.baseline();
  double before_ns = cache_line_ns();
  for (int i = 0; i < benchmark.samples_count; ++i) {
    Sample sample;
    sample.line_before_ns = before_ns;
    barrier();
    const transport::Counters before = counters();
    sample.value = benchmark.measure();
    sample.received = counters().receives - before.receives;
    sample.received_copied = counters().received_copied - before.received_copied;
    if (benchmark.baseline) {
      barrier();
      sample.baseline = benchmark.baseline();
    }
    sample.line_after_ns = before_ns = cache_line_ns();
    samples.push_back(sample);
  }
  if (rank() != 0) return {};
  return rows_of({benchmark.name, benchmark.unit, benchmark.baseline_name, benchmark.size_bytes},
                 samples);
}

}  // namespace tasuki::bench
