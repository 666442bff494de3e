// The last value again. Source: the paper of predictor.hpp, section 2.2.2 a.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "predict/guess.hpp"

namespace tasuki::predict {

template <class Value>
class LastValue {
 public:
  explicit LastValue(const StreamSizes& sizes) : states_(sizes.streams_count) {}

  std::optional<Guess<Value>> guess(std::size_t stream) const noexcept { return states_[stream]; }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    std::optional<Guess<Value>>& last = states_[stream];
    std::uint8_t confidence = last ? last->confidence : 0;
    count_success(confidence, last && last->value == value);
    last = Guess<Value>{value, confidence};
  }

  void forget(std::size_t stream) noexcept { states_[stream].reset(); }

 private:
  std::vector<std::optional<Guess<Value>>> states_;
};

}  // namespace tasuki::predict
