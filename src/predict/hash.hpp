// Hashes of symbols: multiplications by odd constants, whose high bits are well mixed.
//
// Source: multiplicative hashing, Knuth, The Art of Computer Programming 3, 6.4; the constants are
// the golden ratio and primes of xxHash64.
#pragma once

#include <cstdint>

#include <tasuki/detail/predict/message.hpp>

namespace tasuki::predict {

/// Every bit of the result depends on every bit of the value.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value *= 0x9e3779b97f4a7c15U;
  value ^= value >> 32U;
  return value * 0xc2b2ae3d27d4eb4fU;
}

constexpr std::uint64_t hash_of(std::int64_t value) {
  return mixed(static_cast<std::uint64_t>(value));
}

constexpr std::uint64_t hash_of(const Message& message) {
  const std::uint64_t from = static_cast<std::uint64_t>(static_cast<std::uint32_t>(message.source))
                                 << 32U |
                             static_cast<std::uint32_t>(message.tag);
  const std::uint64_t sort = static_cast<std::uint64_t>(message.communicator) << 32U | message.kind;
  const auto bytes = static_cast<std::uint64_t>(message.message_bytes);
  return mixed(from * 0x165667b19e3779f9U + sort * 0x27d4eb2f165667c5U + bytes);
}

}  // namespace tasuki::predict
