// The value that has come most often. Source: the paper of predictor.hpp, section 2.2.2 d.
//
// Of very many values, those that are rare are forgotten: a new one takes the place of the rarest
// that it may share a place with, and its count (Metwally, Agrawal, El Abbadi, "Efficient
// computation of frequent and top-k elements in data streams", 2005).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "predict/context.hpp"
#include "predict/guess.hpp"

namespace tasuki::predict {

template <class Value>
class MostFrequent {
 public:
  explicit MostFrequent(const StreamSizes& sizes)
      : states_(sizes.streams_count), places_(places_count) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const State& state = states_[stream];
    return state.most != 0 ? Guess<Value>{&state.value, state.confidence} : Guess<Value>{};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    State& state = states_[stream];
    count_success(state.confidence, state.most != 0 && state.value == value);
    const std::uint64_t key = key_of(stream, hash_of(value) + state.age);
    const std::size_t first = (key >> 52U) & ~(ways_count - 1);
    const std::span<Place> places(&places_[first], ways_count);
    auto place = std::ranges::find(places, key, &Place::key);
    if (place == places.end()) {
      place = std::ranges::min_element(places, {}, &Place::times);
      place->key = key;
    }
    ++place->times;
    if (place->times > state.most) {
      state.most = place->times;
      state.value = value;
    }
  }

  void forget(std::size_t stream) noexcept { states_[stream] = {.age = states_[stream].age + 1}; }

 private:
  static constexpr std::size_t places_count = std::size_t{1} << (64U - 52U);
  static constexpr std::size_t ways_count = 4;

  struct State {
    Value value{};
    std::uint64_t most = 0;  ///< How often it has come.
    std::uint8_t confidence = 0;
    std::uint64_t age = 0;  ///< How often the stream has begun: older counts do not count.
  };
  struct Place {
    std::uint64_t key = 0;
    std::uint64_t times = 0;
  };

  std::vector<State> states_;
  std::vector<Place> places_;
};

}  // namespace tasuki::predict
