// Data that tell where they come from, for tests that move them. Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::transport::conformance {

using Bytes = std::vector<std::byte>;

/// Bytes that only this (salt, index) has.
inline std::byte pattern(std::uint64_t salt, std::size_t index) {
  const std::uint64_t mixed = (salt * 0x9e3779b97f4a7c15u) ^ (index * 0xff51afd7ed558ccdu);
  return static_cast<std::byte>(mixed >> 37);
}

inline Bytes patterned(std::uint64_t salt, std::size_t bytes) {
  Bytes data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern(salt, i);
  return data;
}

inline bool matches(std::uint64_t salt, std::span<const std::byte> data) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] != pattern(salt, i)) return false;
  }
  return true;
}

inline std::uint64_t salt_of(int source, int destination, std::size_t number) {
  return static_cast<std::uint64_t>(source) * 1'000'003 +
         static_cast<std::uint64_t>(destination) * 7919 + number * 31;
}

}  // namespace tasuki::transport::conformance
