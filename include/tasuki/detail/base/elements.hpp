// Ranges whose elements lie one after the other: vectors, arrays, strings, spans.
//
// What calls and collectives take of a range. <ranges> has a stricter concept, and is
// one of the headers that take longest to compile. Thread-safety: compile-time only.
#pragma once

#include <iterator>

namespace tasuki::base {

template <class Range>
concept Elements = requires(Range& range) {
  *std::data(range);
  std::size(range);
};

}  // namespace tasuki::base
