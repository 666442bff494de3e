// The history pointer: where the last four values came before, the same follows again. If these
// four are new, it is what followed the last two, then the last one, and then the last value
// itself.
//
// Source: contexts of falling order, of which the lower ones learn only what the higher ones did
// not know, as in prediction by partial matching (Cleary and Witten 1984; Moffat 1990); a hash of
// the context points into the history, as in prefetching by a global history buffer (Nesbit and
// Smith 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "predict/context.hpp"
#include "predict/guess.hpp"
#include "predict/ring.hpp"

namespace tasuki::predict {

template <class Value>
class History {
 public:
  explicit History(const StreamSizes& sizes) : ring_(sizes), states_(sizes.streams_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    if (!state.has_guess) return {};
    return {&ring_.at(stream, state.position), state.confidence};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    const bool was_right = state.has_guess && ring_.at(stream, state.position) == value;
    note_follower(stream, value, was_right);
    ring_.push(stream, value);
    state.context = after(state.context, value);
    find_guess(stream);
  }

  void forget(std::size_t stream) noexcept {
    ring_.forget(stream);
    states_[stream] = {};
  }

 private:
  static constexpr unsigned orders[] = {4, 2, 1};
  static constexpr std::size_t orders_count = std::size(orders);

  struct State {
    Context context = 0;
    /// Of the guess, which is found when the value before it is learned.
    std::uint32_t position = 0;
    std::uint8_t confidence = 0;
    std::uint8_t order_index = 0;  ///< That of the context it comes from; orders_count: of none.
    bool has_guess = false;
  };

  std::uint64_t key_of_order(std::size_t stream, std::size_t order_index) const noexcept {
    const unsigned order = orders[order_index];
    return key_of(stream, newest(states_[stream].context, order), order);
  }

  const PositionTable::Entry* held(std::size_t stream, std::uint64_t key) const noexcept {
    const PositionTable::Entry* const entry = table_.find(key);
    return entry != nullptr && ring_.holds(stream, entry->position) ? entry : nullptr;
  }

  /// Tells the contexts down to the one that was right that the value has followed them.
  void note_follower(std::size_t stream, const Value& value, bool was_right) noexcept {
    const State& state = states_[stream];
    const std::uint32_t position = ring_.count(stream);
    for (std::size_t i = 0; i < orders_count; ++i) {
      const std::uint64_t key = key_of_order(stream, i);
      std::uint8_t confidence = 0;
      bool is_right = false;
      if (i == state.order_index) {
        confidence = state.confidence;
        is_right = was_right;
      } else if (i > state.order_index) {
        const PositionTable::Entry* const entry = held(stream, key);
        is_right = entry != nullptr && ring_.at(stream, entry->position) == value;
        if (is_right) confidence = entry->confidence;
      }
      count_success(confidence, is_right);
      table_.store(key, position, confidence);
      if (is_right) return;
    }
  }

  void find_guess(std::size_t stream) noexcept {
    State& state = states_[stream];
    state.has_guess = true;
    for (std::size_t i = 0; i < orders_count; ++i) {
      if (const PositionTable::Entry* const entry = held(stream, key_of_order(stream, i))) {
        state.position = entry->position;
        state.confidence = static_cast<std::uint8_t>(entry->confidence);
        state.order_index = static_cast<std::uint8_t>(i);
        return;
      }
    }
    state.position = ring_.count(stream) - 1;
    state.confidence = 0;
    state.order_index = orders_count;
  }

  Ring<Value> ring_;
  std::vector<State> states_;
  PositionTable table_;
};

}  // namespace tasuki::predict
