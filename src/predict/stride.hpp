// A stride: the next value is the last one and the step that it has been away from the one before.
// A step counts when it has come twice in succession; until then the last value is predicted.
//
// Source: the paper of predictor.hpp, section 2.2.2 g; that a step has to come twice is from
// Eickemeyer and Vassiliadis, "A load-instruction unit for pipelined processors", 1993.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/guess.hpp"
#include "predict/number.hpp"

namespace tasuki::predict {

template <class Value>
class Stride {
 public:
  explicit Stride(const StreamSizes& sizes) : states_(sizes.streams_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    return state.exists ? Guess<Value>{&state.next, state.confidence} : Guess<Value>{};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    if (state.exists) {
      count_success(state.confidence, state.next == value);
      const Value step = difference(value, state.last);
      if (step == state.newest_step) state.step = step;
      state.newest_step = step;
    }
    state.last = value;
    state.next = sum(value, state.step);
    state.exists = true;
  }

  void forget(std::size_t stream) noexcept { states_[stream] = {}; }

 private:
  struct State {
    Value last{}, next{}, step{}, newest_step{};
    bool exists = false;
    std::uint8_t confidence = 0;
  };

  std::vector<State> states_;
};

}  // namespace tasuki::predict
