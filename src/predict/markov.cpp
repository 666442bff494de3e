#include "predict/markov.hpp"

#include "predict/forms.hpp"
#include "predict/makers.hpp"

namespace tasuki::predict {

std::unique_ptr<Predictor> make_markov(const PredictorOptions& options) {
  return make_in_form<Markov>(options);
}

}  // namespace tasuki::predict
