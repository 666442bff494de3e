// How a process has ended: by an exit code or by a signal.
//
// Made by ProcessGroup, for the errors that clients get. Thread-safety: values.
#pragma once

#include <string>

namespace tasuki::rpc {

struct ProcessEnd {
  int code = 0;    ///< 0 if a signal has ended it.
  int signal = 0;  ///< 0 if it has exited.
};

/// Returns: how the process has ended that exited with the code. Shells and launchers exit with 128
/// more than the signal that has ended their process.
ProcessEnd end_by_code(int code) noexcept;

/// As in "signal 11 (Segmentation fault)" or "exit code 3".
std::string text_of(const ProcessEnd& end);

}  // namespace tasuki::rpc
