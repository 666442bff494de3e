// bench_predict: what a message costs each predictor, and what waiting costs. The numbers of
// docs/design/prediction.md and the limits of the wait policy are made by this program.
#include "predict/predictors.hpp"
#include "predict/waiting.hpp"

int main() {
  tasuki::bench::compare_predictors();
  tasuki::bench::measure_waiting();
  return 0;
}
