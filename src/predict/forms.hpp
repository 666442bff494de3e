// A predictor of messages from an algorithm that predicts the next value of a stream.
//
// An algorithm is a template on the type of the values. It has many streams, which share its
// memory:
//
//   Algorithm(const StreamSizes&)
//   Guess<Value> guess(stream) const                     the next value of the stream
//   void learn(stream, value, arrival_ns)                the value that came
//   void forget(stream)                                  the stream begins anew
//   void record(stream, value)                           where there is a log of an earlier run
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include <tasuki/detail/predict/registry.hpp>

#include "predict/channels.hpp"
#include "predict/guess.hpp"

namespace tasuki::predict {

/// Messages that can be looked up in one stream of all: with the tables 160 KiB, which fit a
/// second-level cache.
inline constexpr std::size_t whole_history_count = 4096;
/// Of each channel: a cycle of some hundred messages, as the 138 of MG in the paper, fits.
inline constexpr std::size_t channel_history_count = 512;
/// The collectives and neighbours of a rank in CG, MG, SP and IS are fewer.
inline constexpr std::size_t channels_count = 64;

/// Is there a log of an earlier run that it wants to know?
template <class Algorithm, class Value>
concept KeepsLog = requires(Algorithm& algorithm, const Value& value) {
  algorithm.record(std::size_t{}, value);
};

/// Field by field: the compiler would make a whole prediction on the stack first, and copy it in
/// words that overlap those just written, which takes 10 ns (`bench_predict`).
inline void take(Prediction& prediction, const Guess<Message>& guess) noexcept {
  prediction.message = *guess.value;
  prediction.fields = FieldSet::all();
  prediction.confidence = guess.confidence;
}

template <template <class> class Algorithm>
class WholePredictor final : public Predictor {
 public:
  explicit WholePredictor(Algorithm<Message> algorithm) : algorithm_(std::move(algorithm)) {}

  Prediction predict(const Receive& receive) const noexcept override {
    Prediction prediction;
    const Guess<Message> guess = algorithm_.guess(0);
    if (guess.value != nullptr) take(prediction, guess);
    put_arguments(prediction, receive);
    return prediction;
  }

  void observe(const Arrival& arrival) noexcept override {
    algorithm_.learn(0, arrival.message, arrival.arrival_ns);
  }

  void record(const Arrival& earlier) requires KeepsLog<Algorithm<Message>, Message> {
    algorithm_.record(0, earlier.message);
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
      const Guess<std::int64_t> guess = algorithm_.guess(static_cast<std::size_t>(field));
      prediction.confidence = std::min(prediction.confidence, guess.confidence);
      if (guess.value == nullptr) continue;
      set_value(prediction.message, field, *guess.value);
      prediction.fields.insert(field);
    }
    put_arguments(prediction, receive);
    return prediction;
  }

  void observe(const Arrival& arrival) noexcept override {
    for (const Field field : all_fields) {
      algorithm_.learn(static_cast<std::size_t>(field), value_of(arrival.message, field),
                       arrival.arrival_ns);
    }
  }

  void record(const Arrival& earlier) requires KeepsLog<Algorithm<std::int64_t>, std::int64_t> {
    for (const Field field : all_fields) {
      algorithm_.record(static_cast<std::size_t>(field), value_of(earlier.message, field));
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
    Prediction prediction;
    const auto stream = channels_.find(receive);
    const Guess<Message> guess = stream ? algorithm_.guess(*stream) : Guess<Message>{};
    if (guess.value == nullptr) {
      prediction.message = receive.arguments;
      prediction.fields = receive.given;
    } else {
      take(prediction, guess);
      const bool has_room = receive.given.contains(Field::message_bytes);
      if (guess.value->message_bytes == full_bytes && !has_room) {
        prediction.fields.erase(Field::message_bytes);
      }
    }
    put_arguments(prediction, receive);
    return prediction;
  }

  void observe(const Arrival& arrival) noexcept override {
    algorithm_.learn(stream_of(arrival), as_symbol(arrival), arrival.arrival_ns);
  }

  void record(const Arrival& earlier) requires KeepsLog<Algorithm<Message>, Message> {
    algorithm_.record(stream_of(earlier), as_symbol(earlier));
  }

 private:
  std::size_t stream_of(const Arrival& arrival) noexcept {
    const Channels::Claim claim = channels_.claim(arrival.receive);
    if (claim.is_new) algorithm_.forget(claim.stream);
    return claim.stream;
  }

  Algorithm<Message> algorithm_;
  Channels channels_{channels_count};
};

/// The algorithm, which knows the earlier run if it uses one.
template <class PredictorInForm, class Algorithm>
std::unique_ptr<Predictor> make_with_log(Algorithm algorithm, std::span<const Arrival> earlier) {
  auto predictor = std::make_unique<PredictorInForm>(std::move(algorithm));
  if constexpr (requires(const Arrival& arrival) { predictor->record(arrival); }) {
    for (const Arrival& arrival : earlier) predictor->record(arrival);
  }
  return predictor;
}

template <template <class> class Algorithm>
std::unique_ptr<Predictor> make_in_form(const PredictorOptions& options) {
  switch (options.form) {
    case Form::whole:
      return make_with_log<WholePredictor<Algorithm>>(Algorithm<Message>({1, whole_history_count}),
                                                      options.earlier);
    case Form::fields:
      return make_with_log<FieldsPredictor<Algorithm>>(
          Algorithm<std::int64_t>({fields_count, whole_history_count}), options.earlier);
    case Form::channel:
      return make_with_log<ChannelPredictor<Algorithm>>(
          Algorithm<Message>({channels_count, channel_history_count}), options.earlier);
  }
  return nullptr;
}

}  // namespace tasuki::predict
