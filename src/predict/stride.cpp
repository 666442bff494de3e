#include "predict/stride.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_stride(const PredictorOptions& options) {
  return make_in_form<Stride>(options);
}

}  // namespace tasuki::predict
