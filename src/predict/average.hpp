// The mean of all values so far; of messages the mean of their sizes, with the other fields of the
// last one. Source: the paper of predictor.hpp, section 2.2.2 c.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/guess.hpp"
#include "predict/number.hpp"

namespace tasuki::predict {

template <class Value>
class Average {
 public:
  explicit Average(const StreamSizes& sizes) : states_(sizes.streams_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    return state.count != 0 ? Guess<Value>{&state.next, state.confidence} : Guess<Value>{};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    count_success(state.confidence, state.count != 0 && state.next == value);
    ++state.count;
    const auto size = static_cast<double>(size_of(value));
    state.mean += (size - state.mean) / static_cast<double>(state.count);
    state.next = resized(value, static_cast<std::int64_t>(std::llround(state.mean)));
  }

  void forget(std::size_t stream) noexcept { states_[stream] = {}; }

 private:
  struct State {
    Value next{};  ///< The last value with the mean size.
    double mean = 0;
    std::int64_t count = 0;
    std::uint8_t confidence = 0;
  };

  std::vector<State> states_;
};

}  // namespace tasuki::predict
