// The value that is due next: the one whose last arrival and usual interval add up to the earliest
// time. Source: the paper of predictor.hpp, section 2.2.2 h.
//
// Of each stream the sixteen values that came last are known. Each message takes two passes over
// them. A value that has not come for two intervals is no longer expected.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/guess.hpp"

namespace tasuki::predict {

template <class Value>
class ArrivalTime {
 public:
  explicit ArrivalTime(const StreamSizes& sizes) : states_(sizes.streams_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    const Expected* next = nullptr;
    for (std::size_t i = 0; i < state.count; ++i) {
      const Expected& one = state.expected[i];
      const bool is_late = state.now_ns - one.due_ns() > one.interval_ns;
      if (!one.has_interval || is_late) continue;
      if (next == nullptr || one.due_ns() < next->due_ns()) next = &one;
    }
    return next != nullptr ? Guess<Value>{&next->value, state.confidence} : Guess<Value>{};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t arrival_ns) noexcept {
    const Value* const expected = guess(stream).value;
    State& state = states_[stream];
    count_success(state.confidence, expected != nullptr && *expected == value);
    state.now_ns = arrival_ns;
    const auto end = state.expected.begin() + static_cast<std::ptrdiff_t>(state.count);
    const auto found = std::find_if(state.expected.begin(), end,
                                    [&](const Expected& one) { return one.value == value; });
    if (found != end) {
      found->come_again(arrival_ns);
    } else if (state.count < state.expected.size()) {
      state.expected[state.count++] = {value, arrival_ns};
    } else {
      *std::ranges::min_element(state.expected, {}, &Expected::last_ns) = {value, arrival_ns};
    }
  }

  void forget(std::size_t stream) noexcept { states_[stream] = {}; }

 private:
  struct Expected {
    Value value{};
    std::int64_t last_ns = 0;
    std::int64_t interval_ns = 0;
    bool has_interval = false;

    std::int64_t due_ns() const noexcept { return last_ns + interval_ns; }

    /// The interval follows the last ones by a quarter of the difference.
    void come_again(std::int64_t arrival_ns) noexcept {
      const std::int64_t newest_ns = arrival_ns - last_ns;
      interval_ns = has_interval ? interval_ns + (newest_ns - interval_ns) / 4 : newest_ns;
      has_interval = true;
      last_ns = arrival_ns;
    }
  };
  struct State {
    std::array<Expected, 16> expected{};
    std::size_t count = 0;
    std::int64_t now_ns = 0;
    std::uint8_t confidence = 0;
  };

  std::vector<State> states_;
};

}  // namespace tasuki::predict
