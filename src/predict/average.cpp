#include "predict/average.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_average(const PredictorOptions& options) {
  return make_in_form<Average>(options);
}

}  // namespace tasuki::predict
