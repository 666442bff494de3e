// Global pointers in std::format and fmt::format, as streams write them: `rank 1: 0x7f3a5c001040`,
// or `null`.
//
// Included by programs that format them; no other header of Tasuki includes this one, <format> or
// fmt. It serves std::format where the standard library has it, and fmt where one of its headers
// has been included before: `std::format("{}", pointer)`. The text may be aligned and filled as any
// string: "{:>30}".
//
// Thread-safety: any thread.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <tasuki/global_ptr.hpp>
#include <version>

#if defined(__cpp_lib_format)
#include <format>
#endif

namespace tasuki {
namespace runtime {

template <class T>
std::string text_of(const GlobalPtr<T>& pointer) {
  if (pointer.is_null()) return "null";
  std::array<char, 16> digits;
  const auto number = reinterpret_cast<std::uintptr_t>(pointer.raw());
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return "rank " + std::to_string(pointer.rank()) + ": 0x" + std::string(digits.data(), end);
}

}  // namespace runtime
}  // namespace tasuki

#if defined(__cpp_lib_format)
namespace std {

template <class T>
struct formatter<tasuki::GlobalPtr<T>> : formatter<string_view> {
  template <class Context>
  auto format(const tasuki::GlobalPtr<T>& pointer, Context& context) const {
    return formatter<string_view>::format(tasuki::runtime::text_of(pointer), context);
  }
};

}  // namespace std
#endif

#if defined(FMT_VERSION)
namespace fmt {

template <class T>
struct formatter<tasuki::GlobalPtr<T>> : formatter<string_view> {
  template <class Context>
  auto format(const tasuki::GlobalPtr<T>& pointer, Context& context) const {
    const std::string text = tasuki::runtime::text_of(pointer);
    return formatter<string_view>::format({text.data(), text.size()}, context);
  }
};

}  // namespace fmt
#endif
