// The hash of words and addresses in the tables of this layer.
//
// Thread-safety: a pure function.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::mpi::record {

/// A number of `bits` bits. Source: multiplicative hashing (Knuth 1973).
/// Requires: bits is from 1 to 63.
inline std::size_t hash_of(std::uint64_t word, int bits) noexcept {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  return (word * golden) >> (64 - bits);
}

}  // namespace tasuki::mpi::record
