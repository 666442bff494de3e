// What NumPy calls the types of elements: in messages, and where Python and C++ tell each other.
//
// Thread-safety: constants.
#pragma once

#include <array>
#include <cstddef>
#include <tasuki/detail/base/arithmetic.hpp>

namespace tasuki::base {

/// In the order of ElementType.
inline constexpr std::array element_names = {"other",  "int8",    "int16",  "int32",
                                             "int64",  "uint8",   "uint16", "uint32",
                                             "uint64", "float32", "float64"};
static_assert(element_names.size() == static_cast<std::size_t>(ElementType::float64) + 1);

constexpr const char* name_of(ElementType type) {
  return element_names[static_cast<std::size_t>(type)];
}

}  // namespace tasuki::base
