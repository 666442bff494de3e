// An array of a call, in the caller's memory.
//
// Made by clients for each array parameter. Thread-safety: a value.
#pragma once

#include <cstddef>
#include <tasuki/detail/layout/array_view.hpp>
#include <vector>

#include "rpc/interface/call_layout.hpp"

namespace tasuki::rpc {

/// `memory_bytes` from `memory` on. Of an IN array nothing is changed.
struct ArrayArgument {
  std::byte* memory = nullptr;
  std::size_t memory_bytes = 0;
  layout::ArrayView view = {};
};

/// Throws tasuki::error that names the argument if the arrays, one for each array parameter in
/// order, are not those that the layout needs.
void check(const Routine& routine, const CallLayout& layout,
           const std::vector<ArrayArgument>& arrays);

}  // namespace tasuki::rpc
