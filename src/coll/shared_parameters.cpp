#include "coll/shared_parameters.hpp"

#include <algorithm>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

int radix_of(const Parameters& given) {
  return given.contains("radix") ? static_cast<int>(given.get("radix")) : 2;
}

int segments_of(std::size_t count, const Shape& shape, const Parameters& given) {
  if (count == 0 || !given.contains("segment_bytes")) return 1;
  const auto bytes = static_cast<std::size_t>(given.get("segment_bytes"));
  if (bytes == 0) return 1;
  return static_cast<int>(ceil_div(count, std::max<std::size_t>(1, bytes / shape.element_bytes)));
}

}  // namespace tasuki::coll
