// What the registry makes predictors with, each defined in the file of its algorithm.
#pragma once

#include <memory>

#include <tasuki/detail/predict/registry.hpp>

namespace tasuki::predict {

std::unique_ptr<Predictor> make_posted(const PredictorOptions& options);
std::unique_ptr<Predictor> make_last_value(const PredictorOptions& options);
std::unique_ptr<Predictor> make_markov(const PredictorOptions& options);
std::unique_ptr<Predictor> make_stride(const PredictorOptions& options);
std::unique_ptr<Predictor> make_most_frequent(const PredictorOptions& options);
std::unique_ptr<Predictor> make_average(const PredictorOptions& options);
std::unique_ptr<Predictor> make_maximum(const PredictorOptions& options);
std::unique_ptr<Predictor> make_history(const PredictorOptions& options);
std::unique_ptr<Predictor> make_cycle(const PredictorOptions& options);
std::unique_ptr<Predictor> make_arrival_time(const PredictorOptions& options);
std::unique_ptr<Predictor> make_earlier_run(const PredictorOptions& options);

}  // namespace tasuki::predict
