// The history pointer: where the last four values came before, the same follows again. If these
// four are new, so are they taken by the last one alone, and then the last value itself.
//
// Source: contexts of falling order, as in prediction by partial matching (Cleary and Witten 1984);
// a hash of the context points into the history, as in prefetching by a global history buffer
// (Nesbit and Smith 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/context.hpp"
#include "predict/guess.hpp"
#include "predict/ring.hpp"

namespace tasuki::predict {

template <class Value>
class History {
 public:
  explicit History(const StreamSizes& sizes)
      : ring_(sizes), keys_(sizes.streams_count), contexts_(sizes.streams_count) {
    for (std::size_t stream = 0; stream < sizes.streams_count; ++stream) forget(stream);
  }

  Guess<Value> guess(std::size_t stream) const noexcept {
    if (const auto* entry = held(stream, of_four_, keys_[stream].of_four)) {
      return {&ring_.at(stream, entry->position), static_cast<std::uint8_t>(entry->confidence)};
    }
    if (const auto* entry = held(stream, of_one_, keys_[stream].of_one)) {
      return {&ring_.at(stream, entry->position), static_cast<std::uint8_t>(entry->confidence)};
    }
    if (ring_.count(stream) == 0) return {};
    return {&ring_.at(stream, ring_.count(stream) - 1), 0};
  }

  void learn(std::size_t stream, const Value& value, std::int64_t /*arrival_ns*/) noexcept {
    const Keys keys = keys_[stream];
    const std::uint8_t four = confidence_after(stream, of_four_, keys.of_four, value);
    const std::uint8_t one = confidence_after(stream, of_one_, keys.of_one, value);
    const std::uint32_t position = ring_.push(stream, value);
    of_four_.store(keys.of_four, position, four);
    of_one_.store(keys.of_one, position, one);
    contexts_[stream] = after(contexts_[stream], value);
    keys_[stream] = keys_of(stream, contexts_[stream]);
  }

  void forget(std::size_t stream) noexcept {
    ring_.forget(stream);
    contexts_[stream] = 0;
    keys_[stream] = keys_of(stream, 0);
  }

 private:
  struct Keys {
    std::uint64_t of_four, of_one;
  };

  static Keys keys_of(std::size_t stream, Context context) noexcept {
    return {key_of(stream, context), key_of(stream, newest(context))};
  }

  const PositionTable::Entry* held(std::size_t stream, const PositionTable& table,
                                   std::uint64_t key) const noexcept {
    const PositionTable::Entry* const entry = table.find(key);
    return entry != nullptr && ring_.holds(stream, entry->position) ? entry : nullptr;
  }

  std::uint8_t confidence_after(std::size_t stream, const PositionTable& table, std::uint64_t key,
                                const Value& value) const noexcept {
    const PositionTable::Entry* const entry = held(stream, table, key);
    if (entry == nullptr) return 0;
    std::uint8_t confidence = entry->confidence;
    count_success(confidence, ring_.at(stream, entry->position) == value);
    return confidence;
  }

  Ring<Value> ring_;
  std::vector<Keys> keys_;  ///< Of the present context of each stream.
  std::vector<Context> contexts_;
  PositionTable of_four_, of_one_;
};

}  // namespace tasuki::predict
