// Parameters that several algorithms share, and what they say.
//
// Thread-safety: pure functions.
#pragma once

#include <tasuki/detail/coll/parameters.hpp>
#include <tasuki/detail/coll/shape.hpp>

namespace tasuki::coll {

constexpr ParameterDeclaration radix(std::int64_t default_value, const char* meaning) {
  return {"radix", default_value, 2, 64, meaning};
}
inline constexpr ParameterDeclaration tree_radix =
    radix(4, "a rank has up to radix - 1 children per digit of its number");
inline constexpr ParameterDeclaration bruck_radix =
    radix(2, "what a rank knows grows by this factor per round");
inline constexpr ParameterDeclaration ways_radix =
    radix(2, "digits of the way of a block are written in this base");
/// Returns: the value of `radix`; 2 for an algorithm without it.
int radix_of(const Parameters& given);

constexpr ParameterDeclaration segment_bytes(
    std::int64_t default_bytes,
    const char* meaning = "size of the segments that follow each other; 0: the message whole") {
  return {"segment_bytes", default_bytes, 0, 1LL << 40, meaning};
}
/// Returns: how many segments of `segment_bytes` make up `count` elements of the shape; at least 1,
/// and 1 for an algorithm without the parameter.
int segments_of(std::size_t count, const Shape& shape, const Parameters& given);

}  // namespace tasuki::coll
