// The errors of a module whose ranks have ended, do not answer, or have never come.
//
// Made by the module's processes, for the clients whose calls fail. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/server/lease_state.hpp"
#include "rpc/server/process_end.hpp"

namespace tasuki::rpc {

inline constexpr const char* printed_remedy = "read what the server has printed";

/// `end` is that of the program, or of what has started its ranks: launchers end as a rank has.
LeaseFault lost_rank(const std::string& module, int rank, const std::optional<ProcessEnd>& end);

LeaseFault silent_rank(const std::string& module, int rank, double silence_s);

/// `printed` are the program's last lines, or "".
error failed_start(const std::string& module, const std::optional<ProcessEnd>& end,
                   const std::string& printed);

}  // namespace tasuki::rpc
