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
/// Those that count sizes, and the one that compares times of all messages.
constexpr Form of_numbers[] = {Form::whole, Form::fields};

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
    {.name = "maximum",
     .help = "The largest size so far; by fields the largest value of each.",
     .source = paper,
     .forms = of_numbers,
     .make = make_maximum},
    {.name = "average",
     .help = "The mean size so far; by fields the mean of each.",
     .source = paper,
     .forms = of_numbers,
     .make = make_average},
    {.name = "most_frequent",
     .help = "What has come most often.",
     .source = paper,
     .forms = all_forms,
     .make = make_most_frequent},
    {.name = "markov",
     .help = "What followed the last message when it came before.",
     .source = "Joseph and Grunwald, 1997; in the paper of Iwamoto et al., 2001",
     .forms = all_forms,
     .make = make_markov},
    {.name = "stride",
     .help = "The step from the message before the last one to the last one, again.",
     .source = "Eickemeyer and Vassiliadis, 1993; in the paper of Iwamoto et al., 2001",
     .forms = of_numbers,
     .make = make_stride},
    {.name = "arrival_time",
     .help = "What is due next, as it comes at intervals.",
     .source = paper,
     .forms = of_numbers,
     .make = make_arrival_time},
    {.name = "earlier_run",
     .help = "The log of an earlier run.",
     .source = paper,
     .forms = all_forms,
     .make = make_earlier_run,
     .uses_earlier = true},
    {.name = "history",
     .help =
         "What followed the last four messages when they came before; else the last two, or one.",
     .source = "Cleary and Witten, 1984; Moffat, 1990; Nesbit and Smith, 2004",
     .forms = all_forms,
     .make = make_history},
    {.name = "cycle",
     .help = "What came one period ago, of any period up to some hundred messages.",
     .source = "the period of 138 messages that Iwamoto et al., 2001, saw in MG",
     .forms = all_forms,
     .make = make_cycle},
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
  static const PredictorDescriptor& found = predictor_named("history");
  return found;
}

std::unique_ptr<Predictor> make_predictor(const PredictorDescriptor& descriptor,
                                          const PredictorOptions& options) {
  TASUKI_ASSERT(std::ranges::find(descriptor.forms, options.form) != descriptor.forms.end());
  return descriptor.make(options);
}

}  // namespace tasuki::predict
