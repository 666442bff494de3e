// The log of an earlier run of the same program: what came there comes again.
// Source: the paper of predictor.hpp, section 2.2.2 f.
//
// After a wrong prediction it goes on where the last four values stand in the log, if they do, and
// else with the next value of the log: so one that is missing or too many does not matter for long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "predict/context.hpp"
#include "predict/guess.hpp"

namespace tasuki::predict {

template <class Value>
class EarlierRun {
 public:
  explicit EarlierRun(const StreamSizes& sizes) : states_(sizes.streams_count) {}

  /// Adds a value to the log of the stream, before any is learned.
  void record(std::size_t stream, const Value& value) {
    State& state = states_[stream];
    state.recorded_context = after(state.recorded_context, value);
    state.log.push_back(value);
    state.next_after.emplace(state.recorded_context, state.log.size());
  }

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    if (state.next >= state.log.size()) return {};
    return {&state.log[state.next], state.confidence};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    const bool was_right = state.next < state.log.size() && state.log[state.next] == value;
    count_success(state.confidence, was_right);
    state.context = after(state.context, value);
    ++state.next;
    if (was_right) return;
    const auto found = state.next_after.find(state.context);
    if (found != state.next_after.end()) state.next = found->second;
  }

  void forget(std::size_t stream) noexcept { states_[stream] = {}; }

 private:
  struct State {
    std::vector<Value> log;
    std::unordered_map<Context, std::size_t> next_after;  ///< Position that follows a context.
    Context recorded_context = 0;
    Context context = 0;
    std::size_t next = 0;  ///< Position in the log of what is expected.
    std::uint8_t confidence = 0;
  };

  std::vector<State> states_;
};

}  // namespace tasuki::predict
