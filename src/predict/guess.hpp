// What an algorithm on a stream of values answers, and how large its memory is.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tasuki/detail/predict/predictor.hpp>

namespace tasuki::predict {

/// The value lies in the algorithm's memory, so that it is copied only once.
template <class Value>
struct Guess {
  const Value* value = nullptr;  ///< Null: nothing is known yet.
  std::uint8_t confidence = 0;
};

struct StreamSizes {
  std::size_t streams_count;
  std::size_t history_count;  ///< Values of a stream that can be looked up; a power of two.
};

/// Counts how often in succession something was right.
constexpr void count_success(std::uint8_t& confidence, bool was_right) {
  if (!was_right) {
    confidence = 0;
  } else if (confidence < confidence_most) {
    ++confidence;
  }
}

}  // namespace tasuki::predict
