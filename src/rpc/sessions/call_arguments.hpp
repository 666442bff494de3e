// The arguments of a call as programs in C, C++ and Fortran have them: one pointer for each.
//
// The interface says what the pointers mean; what the program knows of its arguments is checked
// against it. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/client/client_function.hpp"
#include "rpc/interface/module.hpp"
#include "rpc/sessions/argument.hpp"
#include "rpc/sessions/text_arguments.hpp"

namespace tasuki::rpc {

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

/// The array for a parameter of the routine, for Client::put, which wants all `scalars`; those that
/// are not given are set to 0. Throws tasuki::error that names the parameter if the array is not
/// what the interface says.
ArrayArgument array_to_put(const Routine& routine, const std::string& parameter,
                           nlohmann::json& scalars, const Argument& argument);

/// `arguments` are those of the parameters that are given, in order. Scalars are converted to the
/// parameter's type; arrays must have it. Throws tasuki::error that names the argument which is not
/// what the interface says, or where a result would overwrite another argument.
CallArguments call_arguments(const Routine& routine, std::span<const Argument> arguments);

}  // namespace tasuki::rpc
