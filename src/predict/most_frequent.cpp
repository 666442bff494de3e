#include "predict/most_frequent.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_most_frequent(const PredictorOptions& options) {
  return make_in_form<MostFrequent>(options);
}

}  // namespace tasuki::predict
