// Even division of [0, count) into consecutive parts; the first parts are one longer if need be.
//
// Called wherever rows, vector elements or keys are given to ranks. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::apps {

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const noexcept { return end - begin; }
  bool contains(std::int64_t index) const noexcept { return begin <= index && index < end; }
  bool operator==(const Range&) const = default;
};

/// Part `part` of `parts`. Requires: 0 <= part < parts.
constexpr Range part_of(Range whole, int part, int parts) noexcept {
  const std::int64_t shortest = (whole.end - whole.begin) / parts;
  const std::int64_t longer = (whole.end - whole.begin) % parts;
  const std::int64_t begin = whole.begin + part * shortest + (part < longer ? part : longer);
  return {begin, begin + shortest + (part < longer ? 1 : 0)};
}

/// The elements [range.begin, range.end) of a contiguous container.
template <class Container>
auto slice(Container& container, Range range) {
  return std::span(container).subspan(static_cast<std::size_t>(range.begin),
                                      static_cast<std::size_t>(range.size()));
}

}  // namespace tasuki::apps
