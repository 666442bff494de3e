// The largest value so far; of messages the largest size, with the other fields of the last one.
// Source: the paper of predictor.hpp, section 2.2.2 b.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/guess.hpp"
#include "predict/number.hpp"

namespace tasuki::predict {

template <class Value>
class Maximum {
 public:
  explicit Maximum(const StreamSizes& sizes) : states_(sizes.streams_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    return state.exists ? Guess<Value>{&state.most, state.confidence} : Guess<Value>{};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    count_success(state.confidence, state.exists && state.most == value);
    const std::int64_t most =
        state.exists ? std::max(size_of(value), size_of(state.most)) : size_of(value);
    state.most = resized(value, most);
    state.exists = true;
  }

  void forget(std::size_t stream) noexcept { states_[stream] = {}; }

 private:
  struct State {
    Value most{};  ///< The last value with the largest size.
    bool exists = false;
    std::uint8_t confidence = 0;
  };

  std::vector<State> states_;
};

}  // namespace tasuki::predict
