// tasuki_host_watch: watches one host of an MPI job whose program need not know of Tasuki.
//
// Started on each host by `tasuki run --hosts`, with which it speaks on standard input and output.
// Exit code: 0, or 2 with the error on standard error.
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <tasuki/detail/transport/launched_watch.hpp>

#include <cerrno>

#include "common/reported_errors.hpp"

namespace {

/// Returns: the exit code of the process; that of a signal is the one of an error.
int exit_code_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

}  // namespace

int main() {
  // It watches in a session of its own: who ends the agent's processes with the agent, while this
  // host is paused, leaves the one that has to end the ranks.
  const pid_t watcher = ::fork();
  if (watcher > 0) return exit_code_of(watcher);
  return tasuki::apps::reporting_errors([] {
    ::setsid();
    std::signal(SIGPIPE, SIG_IGN);  // The job is to be ended even if nobody reads.
    [[maybe_unused]] const int left_folder = ::chdir("/");
    tasuki::transport::watch_for_launcher(STDIN_FILENO, STDOUT_FILENO);
    return 0;
  });
}
