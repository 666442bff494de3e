#include "predict/predictors.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/predict/registry.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "predict/quartile.hpp"
#include "predict/streams.hpp"

namespace tasuki::bench {
namespace {

constexpr std::size_t messages_count = 200'000;
constexpr std::size_t sample_count = 1000;
constexpr unsigned seed = 1;

struct NamedStream {
  const char* name;
  std::vector<predict::Arrival> arrivals;
};

std::vector<NamedStream> streams() {
  return {{"constant", constant_stream(messages_count)},
          {"alternating", alternating_stream(messages_count)},
          {"period 138", periodic_stream(messages_count, 138, seed)},
          {"stride", stride_stream(messages_count)},
          {"interleaved", interleaved_stream(messages_count, seed)},
          {"random", random_stream(messages_count, seed)}};
}

double ns_per_message(predict::Predictor& predictor,
                      const std::vector<predict::Arrival>& arrivals) {
  std::vector<double> samples;
  for (std::size_t begin = 0; begin + sample_count <= arrivals.size(); begin += sample_count) {
    const std::int64_t begin_ns = base::now_ns();
    for (std::size_t i = begin; i < begin + sample_count; ++i) {
      [[maybe_unused]] const volatile auto used =
          predictor.predict(arrivals[i].receive).message.message_bytes;
      predictor.observe(arrivals[i]);
    }
    samples.push_back(static_cast<double>(base::now_ns() - begin_ns) / sample_count);
  }
  return lower_quartile(std::move(samples));
}

}  // namespace

void compare_predictors() {
  const std::vector<NamedStream> all = streams();
  fmt::print("{:<24}", "ns per message");
  for (const NamedStream& stream : all) fmt::print(" {:>11}", stream.name);
  fmt::print("\n");
  for (const predict::PredictorDescriptor& descriptor : predict::all_predictors()) {
    for (const predict::Form form : descriptor.forms) {
      const bool is_default =
          &descriptor == &predict::default_predictor() && form == predict::default_form;
      fmt::print("{:<24}",
                 fmt::format("{} {}{}", descriptor.name, name_of(form), is_default ? " *" : ""));
      for (const NamedStream& stream : all) {
        const auto predictor = make_predictor(descriptor, {form, stream.arrivals});
        fmt::print(" {:>11.1f}", ns_per_message(*predictor, stream.arrivals));
      }
      fmt::print("\n");
    }
  }
}

}  // namespace tasuki::bench
