#include "predict/earlier_run.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_earlier_run(const PredictorOptions& options) {
  return make_in_form<EarlierRun>(options);
}

}  // namespace tasuki::predict
