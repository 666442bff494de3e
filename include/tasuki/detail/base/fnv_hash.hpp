// A hash of bytes that is the same in all processes, for identities; not against forgery.
//
// Thread-safety: a pure function.
#pragma once

#include <cstdint>
#include <string_view>

namespace tasuki::base {

/// FNV-1a (Fowler, Noll, Vo 1991), 64 bits.
constexpr std::uint64_t fnv_hash(std::string_view bytes) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

}  // namespace tasuki::base
