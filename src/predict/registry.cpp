#include <tasuki/detail/predict/registry.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <vector>

#include "predict/makers.hpp"

namespace tasuki::predict {
namespace {

constexpr Form only_whole[] = {Form::whole};
constexpr Form all_forms[] = {Form::whole, Form::fields, Form::channel};

constexpr const char* paper = "Iwamoto et al., 2001";

constexpr PredictorDescriptor list[] = {
    {.name = "posted",
     .help = "What the receive's own arguments say. Every other one has to be better.",
     .source = "none: the simplest there is",
     .forms = only_whole,
     .make = make_posted},
    {.name = "last_value",
     .help = "The last message again.",
     .source = paper,
     .forms = all_forms,
     .make = make_last_value},
};

}  // namespace

const char* name_of(Form form) noexcept {
  switch (form) {
    case Form::whole:
      return "whole";
    case Form::fields:
      return "fields";
    case Form::channel:
      return "channel";
  }
  return "";
}

std::span<const PredictorDescriptor> all_predictors() noexcept { return list; }

const PredictorDescriptor& predictor_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const PredictorDescriptor& descriptor : list) {
    if (name == descriptor.name) return descriptor;
    known.emplace_back(descriptor.name);
  }
  throw error("choosing a predictor", fmt::format("there is none called '{}'", name),
              fmt::format("use one of {}", fmt::join(known, ", ")));
}

const PredictorDescriptor& default_predictor() {
  static const PredictorDescriptor& found = predictor_named("last_value");
  return found;
}

std::unique_ptr<Predictor> make_predictor(const PredictorDescriptor& descriptor,
                                          const PredictorOptions& options) {
  TASUKI_ASSERT(std::ranges::find(descriptor.forms, options.form) != descriptor.forms.end());
  return descriptor.make(options);
}

}  // namespace tasuki::predict
