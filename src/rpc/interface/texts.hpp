// The texts among the arguments of a call, as they travel: in a message, by the name of the
// argument.
//
// Used by clients for what they send, and by ranks for what they give back. Thread-safety: pure
// functions.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

/// Of all texts of a call: a message has to hold them with everything else.
constexpr std::size_t texts_most_bytes = std::size_t{8} << 20;

/// How many texts the argument has. Throws tasuki::error that names it if that is no number from 0
/// to texts_most_bytes.
std::size_t texts_count(const Parameter& parameter, const Integers& integers);

/// Throws tasuki::error that names the argument if `texts` has not, for each parameter of texts
/// whose mode `is_wanted` tells, an array of as many texts as the parameter has, if one of them
/// holds NUL, or if all are longer than texts_most_bytes.
void check_texts(const Routine& routine, const Integers& integers, const nlohmann::json& texts,
                 bool (Parameter::*is_wanted)() const noexcept);

}  // namespace tasuki::rpc
