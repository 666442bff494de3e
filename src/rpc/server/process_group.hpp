// A program that was started with arguments and environment of its own, and all that it starts.
//
// Owned by who wants it to end no later than itself. Thread-safety: none.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "rpc/server/printed_lines.hpp"
#include "rpc/server/process_end.hpp"

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
  bool has_ended() noexcept { return leader_ < 0 || how_ended(); }
  /// Returns: how the program has ended by itself; nothing if it runs, or none has been started.
  std::optional<ProcessEnd> how_ended() noexcept;
  /// Returns: the last lines that it has printed on standard error.
  std::string last_lines() { return printed_ ? printed_->last() : std::string(); }
  /// Returns: what the lines of it that have been read by now tell of hosts, as PrintedLines has
  /// it.
  std::string told_of_hosts() { return printed_ ? printed_->told_of_hosts() : std::string(); }
  /// Returns: has all been read that it has printed by now?
  bool is_all_read() { return !printed_ || printed_->is_all_read(); }
  /// Ends the program and what it has started: after a moment by SIGTERM, then by SIGKILL. Prints
  /// `why`, unless it is empty, before SIGTERM: launchers print that they were told to end, and
  /// operators shall know the reason.
  void end(const std::string& why = {}) noexcept;

 private:
  bool ends_within(std::chrono::milliseconds limit) noexcept;

  pid_t leader_ = -1;
  std::optional<PrintedLines> printed_;
};

}  // namespace tasuki::rpc
