#include "rpc/server/process_group.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <tasuki/error.hpp>
#include <thread>

#include "rpc/server/descriptor_limit.hpp"

extern char** environ;

namespace tasuki::rpc {
namespace {

/// How long a program may take to end by itself, and then after SIGTERM, before it is killed.
constexpr std::chrono::milliseconds grace{400};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  return pointers;
}

}  // namespace

void ProcessGroup::start(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
  printed_.emplace();
  std::vector<char*> arguments = pointers_to(command);
  arguments.push_back(nullptr);
  std::vector<char*> variables = pointers_to(environment);
  for (char** one = environ; *one != nullptr; ++one) variables.push_back(*one);
  variables.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  // Standard input and output are the front end's own: it reads orders and has answered its
  // starter, who reads no more, so that a routine that prints would wait for ever. What is printed
  // on standard output is not remembered: in a pipe it would be buffered, and come late.
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, printed_->descriptor(), STDERR_FILENO);
  const int fault =
      posix_spawnp(&leader_, arguments[0], &files, &attributes, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (fault != 0) {
    leader_ = -1;
    throw error("start a program", fmt::format("{}: {}", command[0], std::strerror(fault)),
                "check the program's name");
  }
  restore_descriptor_limit(leader_);
}

std::optional<ProcessEnd> ProcessGroup::how_ended() noexcept {
  if (leader_ < 0) return {};
  siginfo_t ended{};
  const auto leader = static_cast<id_t>(leader_);
  if (waitid(P_PID, leader, &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return {};
  if (ended.si_pid != leader_) return {};
  if (ended.si_code != CLD_EXITED) return ProcessEnd{.signal = ended.si_status};
  return end_by_code(ended.si_status);
}

bool ProcessGroup::ends_within(std::chrono::milliseconds limit) noexcept {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!has_ended()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void ProcessGroup::end(const std::string& why) noexcept {
  if (leader_ < 0) return;
  if (!ends_within(grace)) {
    // Nobody may read standard error, and whoever calls this may hold up others.
    pollfd printed{STDERR_FILENO, POLLOUT, 0};
    if (!why.empty() && poll(&printed, 1, 0) > 0) base::report(why);
    kill(-leader_, SIGTERM);
    ends_within(grace);
  }
  kill(-leader_, SIGKILL);
  waitpid(leader_, nullptr, 0);
  leader_ = -1;
  printed_.reset();
}

}  // namespace tasuki::rpc
