// Names of routines that may say on which server they are: ninf://HOST:PORT/NAME.
//
// Read for Ninf's calls. Thread-safety: a pure function.
#pragma once

#include <string>

namespace tasuki::rpc {

struct RoutineUrl {
  std::string server;   ///< Its address, or nothing.
  std::string routine;  ///< "module/routine", or "routine".
};

///     routine_url("ninf://host:7777/linpack/solve");  // {"tasuki://host:7777", "linpack/solve"}
RoutineUrl routine_url(const std::string& name);

}  // namespace tasuki::rpc
