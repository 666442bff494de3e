// The list of all predictors.
//
// Used by the MPI interposer, the runtime, `tasuki predict` and the benchmark. Thread-safety: the
// list is constant; a predictor belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <tasuki/detail/predict/predictor.hpp>

namespace tasuki::predict {

/// What a predictor takes as one symbol of one stream.
enum class Form : std::uint8_t {
  whole,   ///< Messages, all in one stream: what the paper chose.
  fields,  ///< Each field of the messages has a stream of its own.
  /// Messages; each set of arguments that receives give (but the size of the buffer) has a stream
  /// of its own. A message that fills its buffer is the same symbol whatever the buffer holds.
  channel,
};

const char* name_of(Form form) noexcept;

struct PredictorOptions {
  Form form = Form::whole;
  std::span<const Arrival> earlier = {};  ///< The log of an earlier run, for those who use one.
};

struct PredictorDescriptor {
  const char* name;
  const char* help;
  const char* source;  ///< Publication, or what was measured.
  std::span<const Form> forms;
  std::unique_ptr<Predictor> (*make)(const PredictorOptions& options);
  bool uses_earlier = false;
};

std::span<const PredictorDescriptor> all_predictors() noexcept;

/// Throws tasuki::error naming the predictors there are if there is none of this name.
const PredictorDescriptor& predictor_named(std::string_view name);

/// What is used if nobody says otherwise, and its form.
const PredictorDescriptor& default_predictor();
inline constexpr Form default_form = Form::channel;

/// Requires: the predictor has the form.
std::unique_ptr<Predictor> make_predictor(const PredictorDescriptor& descriptor,
                                          const PredictorOptions& options);

}  // namespace tasuki::predict
