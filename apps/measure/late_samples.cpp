#include "measure/late_samples.hpp"

namespace tasuki::measure {

std::vector<double> punctual(const std::vector<Sample>& samples) {
  std::vector<double> all;
  std::vector<double> kept;
  for (const Sample& sample : samples) {
    all.push_back(sample.call_ns);
    if (sample.late_start_ns <= late_most * sample.batch_ns) kept.push_back(sample.call_ns);
  }
  return 2 * kept.size() < all.size() ? all : kept;
}

}  // namespace tasuki::measure
