// A cycle of any length that the history holds: what came one period ago comes again.
//
// The period is the distance to where the last four values came before. It is kept while it is
// right. After a value that it did not expect, the period is measured again; if these four values
// are new, a period that was right for as long as it is gets one more chance. So the time for a
// message does not depend on the period.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/context.hpp"
#include "predict/guess.hpp"
#include "predict/ring.hpp"

namespace tasuki::predict {

template <class Value>
class Cycle {
 public:
  explicit Cycle(const StreamSizes& sizes) : ring_(sizes), states_(sizes.streams_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const Value* const value = one_period_ago(stream);
    const std::uint32_t right = std::min<std::uint32_t>(states_[stream].right, confidence_most);
    return {value, static_cast<std::uint8_t>(right)};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    const Value* const expected = one_period_ago(stream);
    const bool was_right = expected != nullptr && *expected == value;
    const std::uint32_t position = ring_.push(stream, value);
    state.context = after(state.context, value);
    const std::uint64_t key = key_of(stream, state.context);
    if (was_right) {
      ++state.right;
    } else {
      const PositionTable::Entry* const before = table_.find(key);
      if (before != nullptr && ring_.holds(stream, before->position)) {
        state.period = position - before->position;
      } else if (state.right < state.period) {
        state.period = 0;
      }
      state.right = 0;
    }
    table_.store(key, position, 0);
  }

  void forget(std::size_t stream) noexcept {
    ring_.forget(stream);
    states_[stream] = {};
  }

 private:
  struct State {
    Context context = 0;
    std::uint32_t period = 0;  ///< 0: none is known.
    std::uint32_t right = 0;   ///< Values in succession that were those one period ago.
  };

  const Value* one_period_ago(std::size_t stream) const noexcept {
    const std::uint32_t position = ring_.count(stream) - states_[stream].period;
    return ring_.holds(stream, position) ? &ring_.at(stream, position) : nullptr;
  }

  Ring<Value> ring_;
  std::vector<State> states_;
  PositionTable table_;
};

}  // namespace tasuki::predict
