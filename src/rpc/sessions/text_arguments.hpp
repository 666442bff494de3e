// The texts and names of files among the arguments of a call, as programs in C and Fortran have
// them.
//
// C's are pointers to characters that end with NUL, and Fortran's lie side by side, filled up with
// blanks. Used by call_arguments. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/sessions/argument.hpp"

namespace tasuki::rpc {

/// Where the texts of an argument go that come back.
struct TextResults {
  std::string name;
  char** pointers = nullptr;           ///< To be made to point at memory of malloc; or nullptr:
  std::vector<std::span<char>> rooms;  ///< To be filled up with blanks.
};

/// Returns: what is sent of a text, or the name of a file. Throws tasuki::error that names the
/// argument if it is none.
nlohmann::json text_of(const Routine& routine, const Parameter& parameter,
                       const Argument& argument);

/// The same for an argument of several texts. Requires: it is sent.
nlohmann::json texts_of(const Routine& routine, const Parameter& parameter,
                        const Integers& integers, const Argument& argument);

/// Requires: its texts come back. Throws tasuki::error that names the argument if there is no room
/// for them.
TextResults text_results_of(const Routine& routine, const Parameter& parameter,
                            const Integers& integers, const Argument& argument);

/// Writes the texts that a call has given back where they belong. What is longer than its room is
/// cut off.
void write_texts(const std::vector<TextResults>& texts, const nlohmann::json& returned);

}  // namespace tasuki::rpc
