#include "predict/cycle.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_cycle(const PredictorOptions& options) {
  return make_in_form<Cycle>(options);
}

}  // namespace tasuki::predict
