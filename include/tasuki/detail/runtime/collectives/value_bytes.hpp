// One value as bytes, for collectives of values of any length, and back.
//
// Used by collectives_of_values.hpp. Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/runtime/calls/codec.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

namespace tasuki::runtime {

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes;
  save(Rank::current().sender.modules(), bytes, value);
  return bytes;
}

/// The bytes may begin anywhere, but values are read where a record's would be, at a whole word.
template <class T>
T value_of(std::span<const std::byte> bytes) {
  std::vector<std::byte> copy;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % record_word_bytes != 0) {
    copy.assign(bytes.begin(), bytes.end());
    bytes = copy;
  }
  Reader reader(bytes.data(), bytes.data() + bytes.size());
  return Codec<T>::read(Rank::current().sender.modules(), reader);
}

}  // namespace tasuki::runtime
