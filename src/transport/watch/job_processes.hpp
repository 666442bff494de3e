// The processes of a job on this host, which are known by a variable of the environment that they
// were started with: that is all that programs and launchers of any kind leave as it is.
//
// Part of the process that watches for a launcher. Thread-safety: safe.
#pragma once

#include <string>

namespace tasuki::transport::watch {

class JobProcesses {
 public:
  /// `job` is the value of TASUKI_WATCHED_JOB.
  explicit JobProcesses(const std::string& job);

  /// Is one of them a watcher that Tasuki's ranks have started?
  bool have_watcher() const;
  /// By SIGKILL, with what they start meanwhile.
  void end() const;

 private:
  bool is_of_job(const std::string& folder) const;
  /// Returns: how many there were.
  int end_those_there() const;

  std::string variable_;
};

}  // namespace tasuki::transport::watch
