// tasuki_predictors: how often each predictor would have been right about recorded messages.
//
// Reads one question in JSON on standard input (read_question) and prints one JSON object. Run by
// the command `tasuki predict`. Exit code: 0, or 2 with the error on standard error.
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/predict/registry.hpp>
#include <tasuki/detail/predict/score.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/request_reader.hpp"
#include "predict/trace.hpp"

namespace {

using namespace tasuki;
using apps::Json;
using apps::TracedMessage;
using predict::Arrival;
using predict::Form;
using predict::PredictorDescriptor;
using predict::Successes;

struct Question {
  std::string trace_path;
  std::optional<std::string> earlier_path;
  std::optional<std::string> predictor;  ///< Only this one.
  std::size_t skipped_count;  ///< Messages at the beginning of each rank that do not count.
};

Question read_question(std::string_view text) {
  apps::RequestReader request("comparing predictors", text);
  Question question;
  question.trace_path = request.text("trace");
  if (!request.is_null("earlier")) question.earlier_path = request.text("earlier");
  if (!request.is_null("predictor")) question.predictor = request.text("predictor");
  question.skipped_count = static_cast<std::size_t>(
      request.integer("skip", 0, std::numeric_limits<std::int64_t>::max()));
  request.finish();
  return question;
}

/// The messages of each rank, in this run and in the earlier one.
struct Streams {
  std::vector<std::vector<TracedMessage>> ranks;
  std::vector<std::vector<Arrival>> earlier;  ///< Empty where there was none.

  std::unique_ptr<predict::Predictor> make(const PredictorDescriptor& descriptor, Form form,
                                           std::size_t rank) const {
    std::span<const Arrival> log;
    if (rank < earlier.size()) log = earlier[rank];
    return make_predictor(descriptor, {form, log});
  }
};

struct Scores {
  predict::Score all;
  predict::Score waiting;  ///< Of messages that had not come when the receive asked.
};

Scores score(const Streams& streams, const PredictorDescriptor& descriptor, Form form,
             std::size_t skipped_count) {
  Scores scores;
  for (std::size_t rank = 0; rank < streams.ranks.size(); ++rank) {
    const auto predictor = streams.make(descriptor, form, rank);
    std::size_t index = 0;
    for (const TracedMessage& one : streams.ranks[rank]) {
      if (index++ >= skipped_count) {
        const predict::Prediction prediction = predictor->predict(one.arrival.receive);
        scores.all.count(prediction, one.arrival);
        if (!one.was_there) scores.waiting.count(prediction, one.arrival);
      }
      predictor->observe(one.arrival);
    }
  }
  return scores;
}

/// So long that the clock's own time does not count.
constexpr std::int64_t measured_ns_least = 5'000'000;
constexpr int passes_count = 5;

/// The best of some passes over all messages, each with new predictors.
double ns_per_message(const Streams& streams, const PredictorDescriptor& descriptor, Form form) {
  double best_ns = std::numeric_limits<double>::infinity();
  std::int64_t elapsed_ns = 0;
  for (int pass = 0; pass < passes_count || elapsed_ns < measured_ns_least; ++pass) {
    std::int64_t pass_ns = 0;
    std::size_t messages_count = 0;
    for (std::size_t rank = 0; rank < streams.ranks.size(); ++rank) {
      const auto predictor = streams.make(descriptor, form, rank);
      const std::int64_t begin_ns = base::now_ns();
      for (const TracedMessage& one : streams.ranks[rank]) {
        [[maybe_unused]] const volatile auto used =
            predictor->predict(one.arrival.receive).message.message_bytes;
        predictor->observe(one.arrival);
      }
      pass_ns += base::now_ns() - begin_ns;
      messages_count += streams.ranks[rank].size();
    }
    elapsed_ns += std::max<std::int64_t>(pass_ns, 1);
    best_ns = std::min(best_ns, static_cast<double>(pass_ns) / static_cast<double>(messages_count));
  }
  return best_ns;
}

Json json_of(const Successes& successes) {
  return {{"predictions", successes.predictions_count}, {"right", successes.right_count}};
}

Json json_of(const predict::Score& score) {
  Json fields = Json::object();
  for (const predict::Field field : predict::all_fields) {
    fields[name_of(field)] = json_of(score.fields[static_cast<std::size_t>(field)]);
  }
  return {{"messages", score.messages_count},
          {"whole", json_of(score.whole)},
          {"fields", fields},
          {"free_messages", score.free_messages_count},
          {"free", json_of(score.free)}};
}

Json answer_of(const Streams& streams, const PredictorDescriptor& descriptor, Form form,
               std::size_t skipped_count) {
  const Scores scores = score(streams, descriptor, form, skipped_count);
  const bool is_default = &descriptor == &predict::default_predictor();
  return {{"predictor", descriptor.name},
          {"form", name_of(form)},
          {"is_default", is_default && form == predict::default_form},
          {"help", descriptor.help},
          {"source", descriptor.source},
          {"ns_per_message", ns_per_message(streams, descriptor, form)},
          {"all", json_of(scores.all)},
          {"waiting", json_of(scores.waiting)}};
}

Streams streams_of(const Question& question, std::vector<std::vector<TracedMessage>> ranks) {
  Streams streams{std::move(ranks), {}};
  if (!question.earlier_path) return streams;
  for (const auto& messages : apps::read_trace(*question.earlier_path).ranks) {
    std::vector<Arrival>& log = streams.earlier.emplace_back();
    for (const TracedMessage& one : messages) log.push_back(one.arrival);
  }
  return streams;
}

Json compare(const Question& question) {
  const PredictorDescriptor* only =
      question.predictor ? &predict::predictor_named(*question.predictor) : nullptr;
  if (only != nullptr && only->uses_earlier && !question.earlier_path) {
    throw error("comparing predictors", std::string(only->name) + " needs an earlier run",
                "name its trace with --earlier");
  }
  apps::Trace trace = apps::read_trace(question.trace_path);
  const Streams streams = streams_of(question, std::move(trace.ranks));
  Json answers = Json::array();
  for (const PredictorDescriptor& descriptor : predict::all_predictors()) {
    if (only != nullptr && only != &descriptor) continue;
    if (descriptor.uses_earlier && !question.earlier_path) continue;
    for (const Form form : descriptor.forms) {
      answers.push_back(answer_of(streams, descriptor, form, question.skipped_count));
    }
  }
  return {{"program", trace.program}, {"ranks", streams.ranks.size()}, {"predictors", answers}};
}

}  // namespace

int main() {
  try {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    std::puts(apps::to_line(compare(read_question(text))).c_str());
  } catch (const std::exception& failure) {
    base::report(failure.what());
    return 2;
  }
  return 0;
}
