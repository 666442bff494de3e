// What a rank takes over from its launcher: ranks as forks that get another's environment.
#include "transport/shm/launch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "transport/shm/forked_job.hpp"

namespace tasuki::transport::shm {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void do_nothing(Transport&) {}

/// What the only rank of a job says that is started as `prepare` says.
Ending refused(const std::function<void(int)>& prepare) {
  ForkedJob job;
  job.size = 1;
  job.prepare = prepare;
  return run_forked_job(job, do_nothing).front();
}

TEST(Launch, AnotherFileIsRefusedAndLeftAsItIs) {
  for (const std::string_view content : {"", "user data"}) {
    const int file = ::open("/tmp", O_TMPFILE | O_RDWR, 0600);
    ASSERT_EQ(::write(file, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    const Ending ending =
        refused([file](int) { ::setenv("TASUKI_JOB_FD", std::to_string(file).c_str(), 1); });
    EXPECT_EQ(ending.exit_code(), 1) << ending.output;
    EXPECT_TRUE(contains(ending.output, "which TASUKI_JOB_FD names, is another file here"))
        << ending.output;
    EXPECT_TRUE(contains(ending.output, "env -u TASUKI_JOB_FD -u TASUKI_JOB_FILE"))
        << ending.output;
    struct stat status {};
    ASSERT_EQ(::fstat(file, &status), 0);
    EXPECT_EQ(status.st_size, static_cast<off_t>(content.size()));
    EXPECT_LE(status.st_blocks, 8);
    ::close(file);
  }
}

TEST(Launch, ADescriptorThatIsNotOpenIsRefused) {
  const Ending ending = refused([](int) { ::setenv("TASUKI_JOB_FD", "987", 1); });
  EXPECT_EQ(ending.exit_code(), 1) << ending.output;
  EXPECT_TRUE(contains(ending.output, "descriptor 987, which TASUKI_JOB_FD names, is not open"))
      << ending.output;
  EXPECT_TRUE(contains(ending.output, "env -u TASUKI_JOB_FD")) << ending.output;
}

TEST(Launch, ALauncherThatDoesNotHoldItsLockIsGone) {
  const Ending ending = refused([](int) { ::setenv("TASUKI_LAUNCHER_PID", "1", 1); });
  EXPECT_EQ(ending.exit_code(), 1);
  EXPECT_TRUE(contains(ending.output, "the launcher (pid 1) is gone")) << ending.output;
}

TEST(Launch, ALauncherThatHoldsItsLockIsThereWhateverItsNumberMeansHere) {
  expect_success(run_forked_job({.size = 1,
                                 .prepare =
                                     [](int) {
                                       const std::string path = std::string("/proc/self/fd/") +
                                                                std::getenv("TASUKI_JOB_FD");
                                       const int own = ::open(path.c_str(), O_RDWR);
                                       struct flock lock {};
                                       lock.l_type = F_WRLCK;
                                       lock.l_len = 1;
                                       if (::fcntl(own, F_OFD_SETLK, &lock) != 0) ::_exit(99);
                                       ::setenv("TASUKI_LAUNCHER_PID", "2147483647", 1);
                                     }},
                                do_nothing));
}

/// Runs a shell on `script`, as any program that a rank starts. Returns: has it ended with success?
bool finds(const char* script) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", script, nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Launch, ProgramsThatARankStartsInheritNothingOfTheJob) {
  expect_success(run_forked_job({.size = 2}, [](Transport&) {
    EXPECT_FALSE(finds("env | grep -q '^TASUKI_\\(JOB\\|LAUNCHER\\)'"));
    EXPECT_FALSE(finds("readlink /proc/self/fd/* | grep -q tasuki-job"));
    EXPECT_TRUE(finds("env | grep -q PATH"));
  }));
}

}  // namespace
}  // namespace tasuki::transport::shm
