// A predictor of messages from an algorithm that predicts the next value of a stream.
//
// An algorithm is a template on the type of the values. It has many streams, which share its
// memory:
//
//   Algorithm(const StreamSizes&)
//   std::optional<Guess<Value>> guess(stream) const      the next value of the stream
//   void learn(stream, value, arrival_ns)                the value that came
//   void forget(stream)                                  the stream begins anew
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <tasuki/detail/predict/registry.hpp>

#include "predict/channels.hpp"
#include "predict/guess.hpp"

namespace tasuki::predict {

/// Messages that can be looked up in one stream of all. More would not stay in a cache of 256 KiB
/// beside the tables (`bench_predict`).
inline constexpr std::size_t whole_history_count = 4096;
/// Of each channel: a cycle of some hundred messages, as the 138 of MG in the paper, fits.
inline constexpr std::size_t channel_history_count = 512;
/// The collectives and neighbours of a rank in CG, MG, SP and IS are fewer.
inline constexpr std::size_t channels_count = 64;

template <template <class> class Algorithm>
class WholePredictor final : public Predictor {
 public:
  explicit WholePredictor(Algorithm<Message> algorithm) : algorithm_(std::move(algorithm)) {}

  Prediction predict(const Receive& receive) const noexcept override {
    Prediction prediction;
    if (const auto guess = algorithm_.guess(0)) {
      prediction = {guess->value, FieldSet::all(), guess->confidence};
    }
    return with_arguments(prediction, receive);
  }

  void observe(const Arrival& arrival) noexcept override {
    algorithm_.learn(0, arrival.message, arrival.arrival_ns);
  }

 private:
  Algorithm<Message> algorithm_;
};

/// The stream of a field has the field's number.
template <template <class> class Algorithm>
class FieldsPredictor final : public Predictor {
 public:
  explicit FieldsPredictor(Algorithm<std::int64_t> algorithm) : algorithm_(std::move(algorithm)) {}

  Prediction predict(const Receive& receive) const noexcept override {
    Prediction prediction;
    prediction.confidence = confidence_most;
    for (const Field field : all_fields) {
      if (const auto guess = algorithm_.guess(static_cast<std::size_t>(field))) {
        set_value(prediction.message, field, guess->value);
        prediction.fields.insert(field);
        prediction.confidence = std::min(prediction.confidence, guess->confidence);
      }
    }
    if (!prediction.is_complete()) prediction.confidence = 0;
    return with_arguments(prediction, receive);
  }

  void observe(const Arrival& arrival) noexcept override {
    for (const Field field : all_fields) {
      algorithm_.learn(static_cast<std::size_t>(field), value_of(arrival.message, field),
                       arrival.arrival_ns);
    }
  }

 private:
  Algorithm<std::int64_t> algorithm_;
};

/// The size of a message that fills its buffer, as a symbol.
inline constexpr std::int64_t full_bytes = std::numeric_limits<std::int64_t>::max();

inline Message as_symbol(const Arrival& arrival) noexcept {
  Message symbol = arrival.message;
  const Receive& receive = arrival.receive;
  if (receive.given.contains(Field::message_bytes) &&
      symbol.message_bytes == receive.arguments.message_bytes) {
    symbol.message_bytes = full_bytes;
  }
  return symbol;
}

/// Of a channel that is new, it predicts what the arguments say.
template <template <class> class Algorithm>
class ChannelPredictor final : public Predictor {
 public:
  explicit ChannelPredictor(Algorithm<Message> algorithm) : algorithm_(std::move(algorithm)) {}

  Prediction predict(const Receive& receive) const noexcept override {
    Prediction prediction{receive.arguments, receive.given};
    if (const auto stream = channels_.find(receive)) {
      if (const auto guess = algorithm_.guess(*stream)) {
        prediction = {guess->value, FieldSet::all(), guess->confidence};
        const bool is_full = prediction.message.message_bytes == full_bytes;
        if (is_full && !receive.given.contains(Field::message_bytes)) {
          prediction.fields.erase(Field::message_bytes);
        }
      }
    }
    return with_arguments(prediction, receive);
  }

  void observe(const Arrival& arrival) noexcept override {
    const Channels::Claim claim = channels_.claim(arrival.receive);
    if (claim.is_new) algorithm_.forget(claim.stream);
    algorithm_.learn(claim.stream, as_symbol(arrival), arrival.arrival_ns);
  }

 private:
  Algorithm<Message> algorithm_;
  Channels channels_{channels_count};
};

template <template <class> class Algorithm>
std::unique_ptr<Predictor> make_in_form(Form form) {
  switch (form) {
    case Form::whole:
      return std::make_unique<WholePredictor<Algorithm>>(
          Algorithm<Message>({1, whole_history_count}));
    case Form::fields:
      return std::make_unique<FieldsPredictor<Algorithm>>(
          Algorithm<std::int64_t>({fields_count, whole_history_count}));
    case Form::channel:
      return std::make_unique<ChannelPredictor<Algorithm>>(
          Algorithm<Message>({channels_count, channel_history_count}));
  }
  return nullptr;
}

}  // namespace tasuki::predict
