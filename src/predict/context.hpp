// The last four values of a stream as one word, and tables of what followed such contexts.
//
// A context has 16 bits of the hash of each value, so that two contexts are taken for the same once
// in some billion times. Then a prediction is wrong, and nothing else.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/guess.hpp"
#include "predict/hash.hpp"

namespace tasuki::predict {

using Context = std::uint64_t;

inline constexpr unsigned bits_of_value = 16;

template <class Value>
Context after(Context context, const Value& value) noexcept {
  return context << bits_of_value | hash_of(value) >> (64 - bits_of_value);
}

/// The last `count` values alone, 1 to 4.
constexpr Context newest(Context context, unsigned count) noexcept {
  return context & (~Context{0} >> (64 - bits_of_value * count));
}

/// Of a context of a stream, in a table of all streams and of contexts of several lengths.
constexpr std::uint64_t key_of(std::size_t stream, Context context, unsigned order = 4) noexcept {
  return hash_of(context, stream + 1, order);
}

/// Where in the history a context was last followed by something.
class PositionTable {
 public:
  struct Entry {
    std::uint32_t check : 29 = 0;  ///< Of the key; 0: there is nothing.
    std::uint32_t confidence : 3 = 0;
    std::uint32_t position = 0;
  };
  static_assert(confidence_most < 1U << 3U);

  PositionTable() : entries_(entries_count) {}

  const Entry* find(std::uint64_t key) const noexcept {
    const Entry& entry = entries_[index_of(key)];
    return entry.check == check_of(key) ? &entry : nullptr;
  }

  void store(std::uint64_t key, std::uint32_t position, std::uint8_t confidence) noexcept {
    entries_[index_of(key)] = {check_of(key), confidence, position};
  }

  /// Twice as many as the longest history has positions (forms.hpp).
  static constexpr std::size_t entries_count = 8192;

 private:
  static constexpr unsigned index_bits = std::countr_zero(entries_count);
  static std::size_t index_of(std::uint64_t key) noexcept { return key >> (64U - index_bits); }
  /// The bits below those of the index.
  static std::uint32_t check_of(std::uint64_t key) noexcept {
    return static_cast<std::uint32_t>(key << index_bits >> (64U - 29U)) | 1U;
  }

  std::vector<Entry> entries_;
};

}  // namespace tasuki::predict
