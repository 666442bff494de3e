// The last value again. Source: the paper of predictor.hpp, section 2.2.2 a.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/guess.hpp"

namespace tasuki::predict {

template <class Value>
class LastValue {
 public:
  explicit LastValue(const StreamSizes& sizes) : states_(sizes.streams_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    return state.exists ? Guess<Value>{&state.last, state.confidence} : Guess<Value>{};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    count_success(state.confidence, state.exists && state.last == value);
    state.last = value;
    state.exists = true;
  }

  void forget(std::size_t stream) noexcept { states_[stream] = {}; }

 private:
  struct State {
    Value last{};
    bool exists = false;
    std::uint8_t confidence = 0;
  };

  std::vector<State> states_;
};

}  // namespace tasuki::predict
