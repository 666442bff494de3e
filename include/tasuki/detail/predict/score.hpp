// How often predictions were right, over the messages of a stream.
//
// Used by `tasuki predict` and by reports. Thread-safety: values.
#pragma once

#include <array>
#include <cstdint>

#include <tasuki/detail/predict/predictor.hpp>

namespace tasuki::predict {

/// Right predictions of some part of the message, and all predictions of it.
struct Successes {
  std::int64_t predictions_count = 0;
  std::int64_t right_count = 0;

  void count(bool was_right) noexcept {
    ++predictions_count;
    right_count += was_right ? 1 : 0;
  }
};

struct Score {
  std::int64_t messages_count = 0;
  Successes whole;                             ///< All fields are predicted; all are right.
  std::array<Successes, fields_count> fields;  ///< By the number of the field.
  /// The fields that the receive's arguments do not fix. Messages without any do not count.
  Successes free;
  std::int64_t free_messages_count = 0;

  void count(const Prediction& prediction, const Arrival& arrival) noexcept;
};

}  // namespace tasuki::predict
