// What the registry makes predictors with, each defined in the file of its algorithm.
#pragma once

#include <memory>

#include <tasuki/detail/predict/registry.hpp>

namespace tasuki::predict {

std::unique_ptr<Predictor> make_posted(const PredictorOptions& options);
std::unique_ptr<Predictor> make_last_value(const PredictorOptions& options);

}  // namespace tasuki::predict
