// The arguments of a call as programs in C, C++ and Fortran have them: one pointer for each.
//
// The interface says what the pointers mean; what the program knows of its arguments is checked
// against it. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tasuki/detail/layout/order.hpp>
#include <variant>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/client/client_function.hpp"
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
};

/// Where the pointers to texts go that come back.
struct TextResults {
  std::string name;
  char** pointers = nullptr;
};

/// What Client::call takes.
struct CallArguments {
  nlohmann::json scalars = nlohmann::json::object();  ///< With texts and names of files.
  std::vector<CallArray> arrays = {};
  ClientFunctions functions = {};
  std::vector<TextResults> texts = {};
};

/// A parameter or a callback for which an argument is given.
using Given = std::variant<const Parameter*, const Callback*>;

/// Returns: all of the routine, in order.
std::vector<Given> given_of(const Routine& routine);

/// Writes the texts that a call has given back where they belong, in memory of malloc.
void write_texts(const std::vector<TextResults>& texts, const nlohmann::json& returned);

/// Is an argument given for the parameter? Work space is not: it is made where the routine runs.
bool is_given(const Parameter& parameter) noexcept;

/// An array that is only written, and that a call lacks.
struct MissingResult {
  std::size_t position = 0;  ///< Among all arguments of the call.
  std::string type = {};     ///< Of the elements, as NumPy calls it.
  std::vector<std::int64_t> extents = {};
  std::size_t bytes = 0;
};

/// `arguments` are those of the parameters that are given but for all arrays that are only written,
/// or they are complete: then there is nothing missing. Throws tasuki::error if they are neither,
/// or a scalar is not what the interface says.
std::vector<MissingResult> missing_results(const Routine& routine,
                                           std::span<const Argument> arguments);

/// `arguments` are those of the parameters that are given, in order. Scalars are converted to the
/// parameter's type; arrays must have it. Throws tasuki::error that names the argument which is not
/// what the interface says, or where a result would overwrite another argument.
CallArguments call_arguments(const Routine& routine, std::span<const Argument> arguments);

}  // namespace tasuki::rpc
