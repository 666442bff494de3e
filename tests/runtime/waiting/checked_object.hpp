// An object that another file makes, which is compiled as for a sanitizer of memory.
//
// For recycled_test.cpp. Thread-safety: safe.
#pragma once

#include <cstddef>
#include <tasuki/detail/runtime/waiting/recycled.hpp>

namespace tasuki::test {

struct CheckedObject : runtime::Recycled {
  std::byte payload[33];
};
CheckedObject* make_checked_object();

}  // namespace tasuki::test
