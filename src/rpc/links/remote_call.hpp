// One call of a routine with the arrays of its caller: what is sent to the ranks, and where results
// go.
//
// Made by who has checked the arguments. Thread-safety: nobody changes it, but for the arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
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

/// `layout` is that on the ranks which are called. `arrays` has one entry for each array parameter,
/// in order.
struct RemoteCall {
  const Routine& routine;
  const nlohmann::json& scalars;
  const CallLayout& layout;
  const std::vector<ArrayArgument>& arrays;

  /// Calls `visit(layout, array)` for each array parameter of which `is_wanted(parameter)`.
  template <class IsWanted, class Visit>
  void for_each_array(IsWanted is_wanted, Visit visit) const {
    auto array = arrays.begin();
    for (std::size_t i = 0; i < layout.size(); ++i) {
      if (!layout[i]) continue;
      if (is_wanted(routine.parameters[i])) visit(*layout[i], *array);
      ++array;
    }
  }
};

}  // namespace tasuki::rpc
