// An order-1 Markov model: what followed the last value when it came before.
//
// Source: the paper of predictor.hpp, section 2.2.2 e, after Joseph and Grunwald, "Prefetching
// using Markov Predictors", 1997.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/context.hpp"
#include "predict/guess.hpp"

namespace tasuki::predict {

template <class Value>
class Markov {
 public:
  explicit Markov(const StreamSizes& sizes)
      : keys_(sizes.streams_count, nothing), followers_(std::size_t{1} << index_bits) {}

  Guess<Value> guess(std::size_t stream) const noexcept {
    const std::uint64_t key = keys_[stream];
    const Follower& follower = followers_[index_of(key)];
    if (key == nothing || follower.key != key) return {};
    return {&follower.value, follower.confidence};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    if (const std::uint64_t key = keys_[stream]; key != nothing) {
      Follower& follower = followers_[index_of(key)];
      count_success(follower.confidence, follower.key == key && follower.value == value);
      follower.key = key;
      follower.value = value;
    }
    keys_[stream] = key_of(stream, hash_of(value)) | 1U;
  }

  void forget(std::size_t stream) noexcept { keys_[stream] = nothing; }

 private:
  static constexpr std::uint64_t nothing = 0;
  static constexpr unsigned index_bits = 12;  ///< As many as the longest history has values.

  static std::size_t index_of(std::uint64_t key) noexcept { return key >> (64U - index_bits); }

  struct Follower {
    std::uint64_t key = nothing;
    Value value{};
    std::uint8_t confidence = 0;
  };

  std::vector<std::uint64_t> keys_;  ///< Of the last value of each stream.
  std::vector<Follower> followers_;
};

}  // namespace tasuki::predict
