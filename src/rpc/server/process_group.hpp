// A program that was started with arguments and environment of its own, and all that it starts.
//
// Owned by who wants it to end no later than itself. Thread-safety: none.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tasuki::rpc {

class ProcessGroup {
 public:
  ProcessGroup() = default;
  ~ProcessGroup() { end(); }
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  /// Starts `command`, found in PATH, with "NAME=value" added to the environment.
  /// Throws tasuki::error if there is no such program. Requires: nothing runs.
  void start(const std::vector<std::string>& command, const std::vector<std::string>& environment);
  /// Returns: does nothing run? No program has been started, or it has ended by itself.
  bool has_ended() noexcept;
  /// Ends the program and what it has started: after a moment by SIGTERM, then by SIGKILL.
  void end() noexcept;

 private:
  bool ends_within(std::chrono::milliseconds limit) noexcept;

  pid_t leader_ = -1;
};

}  // namespace tasuki::rpc
