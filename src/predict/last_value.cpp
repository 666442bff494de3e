#include "predict/last_value.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_last_value(const PredictorOptions& options) {
  return make_in_form<LastValue>(options);
}

}  // namespace tasuki::predict
