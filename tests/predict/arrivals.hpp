// Messages and receives for tests, and how often a predictor is right about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/predict/registry.hpp>
#include <tasuki/detail/predict/score.hpp>
#include <vector>

namespace tasuki::predict {

inline Message message(std::int64_t bytes, std::int32_t source = 1, std::int32_t tag = 7) {
  return {.source = source, .tag = tag, .message_bytes = bytes};
}

inline constexpr std::int64_t buffer_bytes = 4096;

/// A receive from the message's source with its tag, into a buffer of `room_bytes`.
inline Receive receive_of(const Message& message, std::int64_t room_bytes = buffer_bytes) {
  Receive receive{message, FieldSet::all()};
  receive.arguments.message_bytes = room_bytes;
  return receive;
}

/// The same from any source.
inline Receive from_any_source(const Message& message) {
  Receive receive = receive_of(message);
  receive.given.erase(Field::source);
  receive.arguments.source = 0;
  return receive;
}

/// Messages of these sizes from one source, a microsecond apart.
inline std::vector<Arrival> arrivals_of(const std::vector<std::int64_t>& sizes_bytes) {
  std::vector<Arrival> arrivals;
  for (const std::int64_t bytes : sizes_bytes) {
    const auto arrival_ns = static_cast<std::int64_t>(arrivals.size()) * 1000;
    arrivals.push_back({receive_of(message(bytes)), message(bytes), arrival_ns});
  }
  return arrivals;
}

/// Of the messages after the first `skipped_count`.
inline Score score_of(Predictor& predictor, const std::vector<Arrival>& arrivals,
                      std::size_t skipped_count = 0) {
  Score score;
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    if (i >= skipped_count) score.count(predictor.predict(arrivals[i].receive), arrivals[i]);
    predictor.observe(arrivals[i]);
  }
  return score;
}

inline Score score_of(const char* name, Form form, const std::vector<Arrival>& arrivals,
                      std::size_t skipped_count = 0) {
  const auto predictor = make_predictor(predictor_named(name), {.form = form});
  return score_of(*predictor, arrivals, skipped_count);
}

}  // namespace tasuki::predict
