// Hashes of symbols: sums of products with odd constants. The higher a bit, the better it is mixed.
//
// Source: multiplicative hashing, Knuth, The Art of Computer Programming 3, 6.4; the constants are
// the golden ratio and primes of xxHash64.
#pragma once

#include <cstdint>

#include <tasuki/detail/predict/message.hpp>

namespace tasuki::predict {

/// Not 0 for zeros, so that a stream of zeros is not taken for one that has not begun.
constexpr std::uint64_t hash_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return a * 0x9e3779b97f4a7c15U + b * 0xc2b2ae3d27d4eb4fU + c * 0x165667b19e3779f9U +
         0x85ebca77c2b2ae63U;
}

constexpr std::uint64_t two_words(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32U | low;
}

constexpr std::uint64_t hash_of(std::int64_t value) {
  return hash_of(static_cast<std::uint64_t>(value), 0, 0);
}

constexpr std::uint64_t hash_of(const Message& message) {
  const auto source = static_cast<std::uint32_t>(message.source);
  const auto tag = static_cast<std::uint32_t>(message.tag);
  return hash_of(static_cast<std::uint64_t>(message.message_bytes), two_words(source, tag),
                 two_words(message.communicator, message.kind));
}

}  // namespace tasuki::predict
