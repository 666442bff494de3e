#include "predict/maximum.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_maximum(const PredictorOptions& options) {
  return make_in_form<Maximum>(options);
}

}  // namespace tasuki::predict
