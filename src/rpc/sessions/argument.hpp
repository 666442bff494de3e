// An argument of a call as a program in C, C++ or Fortran has it.
//
// The interface says what its pointer means; what the program knows of it is checked against that.
// Thread-safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tasuki/detail/layout/order.hpp>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

/// A scalar, or an array. Of a text or a file the memory is its characters, of several texts or
/// those that come back an array of pointers, and of a callback the function.
struct Argument {
  void* memory = nullptr;
  std::optional<Number> number = {};  ///< Nothing: what the interface says.
  /// Nothing: what the interface says. One: that of all elements together.
  std::vector<std::int64_t> extents = {};
  layout::Order order = layout::Order::row_major;
  bool is_read_only = false;
  /// One for each of `extents`, from the first element on. Nothing: the elements lie without gaps.
  std::vector<std::int64_t> stride_bytes = {};
  /// An array that Client::put has left on the ranks; the other fields mean nothing.
  std::optional<KeptArray> kept = {};
  /// The memory is the characters of texts themselves, of so many bytes each, of which blanks at
  /// the end do not count.
  std::optional<std::size_t> text_bytes = {};
  bool is_function = false;  ///< The memory is a function, as it must be for callbacks alone.
};

/// Requires: `happened` names the argument.
[[noreturn]] inline void refuse(const Routine& routine, const std::string& happened,
                                const std::string& remedy) {
  throw error("call " + routine.name, happened, remedy);
}

}  // namespace tasuki::rpc
