#include "transport/shm/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace tasuki::transport::shm {
namespace {

/// All that a program has to be told apart by that is no rank of this job.
constexpr const base::Setting* own_settings[] = {&base::setting::job_fd, &base::setting::job_file,
                                                 &base::setting::launcher_pid};

[[noreturn]] void refuse(const std::string& what) {
  std::string without;
  for (const base::Setting* setting : own_settings) without += fmt::format(" -u {}", setting->name);
  throw error("opening the job's memory",
              fmt::format("descriptor {}, which {} names, {}: a rank of a job may have started "
                          "this program",
                          base::setting::job_fd.text(), base::setting::job_fd.name, what),
              fmt::format("start the program with `tasuki run`; from a rank, without the job's "
                          "variables: env{}",
                          without));
}

/// A launcher holds a lock on the first byte of the file, by a description of its own, for as long
/// as it lives. Its process number may mean nothing here: the rank may be in another name space.
bool is_launcher_there(int descriptor) noexcept {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void follow_launcher(int descriptor) {
  if (!base::setting::launcher_pid.is_set()) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // It may have gone before that; behind a wrapper such as gdb it is not the parent.
  if (is_launcher_there(descriptor)) return;
  throw error("starting the shared-memory transport",
              fmt::format("the launcher (pid {}) is gone", base::setting::launcher_pid.integer()),
              "start the job again");
}

}  // namespace

std::string identity_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    refuse(fmt::format("is not open here ({})", std::strerror(errno)));
  }
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

int take_launched_job_file() {
  const auto descriptor = static_cast<int>(base::setting::job_fd.integer());
  if (identity_of(descriptor) != base::setting::job_file.text()) refuse("is another file here");
  follow_launcher(descriptor);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  for (const base::Setting* setting : own_settings) ::unsetenv(setting->name);
  return descriptor;
}

}  // namespace tasuki::transport::shm
