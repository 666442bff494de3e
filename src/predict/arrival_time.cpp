#include "predict/arrival_time.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_arrival_time(const PredictorOptions& options) {
  return make_in_form<ArrivalTime>(options);
}

}  // namespace tasuki::predict
