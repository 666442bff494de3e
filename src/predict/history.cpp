#include "predict/history.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_history(const PredictorOptions& options) {
  return make_in_form<History>(options);
}

}  // namespace tasuki::predict
