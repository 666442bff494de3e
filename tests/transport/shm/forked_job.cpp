#include "transport/shm/forked_job.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <tasuki/detail/base/clock.hpp>
#include <thread>

#include "transport/shm/job_file.hpp"
#include "transport/shm/launch.hpp"
#include "transport/shm/shm_transport.hpp"

namespace tasuki::transport::shm {
namespace {

int run_rank(const ForkedJob& job, int rank, int descriptor,
             const std::function<void(Transport&)>& body) {
  ::setenv("TASUKI_RANK", std::to_string(rank).c_str(), 1);
  ::setenv("TASUKI_SIZE", std::to_string(job.size).c_str(), 1);
  ::setenv("TASUKI_JOB_FD", std::to_string(descriptor).c_str(), 1);
  ::setenv("TASUKI_JOB_FILE", identity_of(descriptor).c_str(), 1);
  try {
    job.prepare(rank);
    const std::unique_ptr<Transport> transport = shm_descriptor().open();
    transport->start();
    body(*transport);
    transport->stop();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return testing::Test::HasFailure() ? 1 : 0;
}

std::string read_all(int descriptor) {
  std::string text;
  char part[4096];
  ::lseek(descriptor, 0, SEEK_SET);
  for (ssize_t bytes; (bytes = ::read(descriptor, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(bytes));
  }
  return text;
}

}  // namespace

int Ending::exit_code() const noexcept {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<Ending> run_forked_job(const ForkedJob& job,
                                   const std::function<void(Transport&)>& body) {
  const int descriptor = create_job_file();
  ::fcntl(descriptor, F_SETFD, 0);  // as the launcher's: programs that a rank becomes inherit it
  std::vector<Ending> endings(static_cast<std::size_t>(job.size));
  std::vector<int> outputs;
  std::fflush(nullptr);
  for (int rank = 0; rank < job.size; ++rank) {
    const int output = ::open("/tmp", O_TMPFILE | O_RDWR, 0600);
    outputs.push_back(output);
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::dup2(output, STDOUT_FILENO);
      ::dup2(output, STDERR_FILENO);
      const int code = run_rank(job, rank, descriptor, body);
      std::fflush(nullptr);
      ::_exit(code);
    }
    endings[static_cast<std::size_t>(rank)].pid = pid;
  }
  const std::int64_t deadline_ns = base::now_ns() + static_cast<std::int64_t>(job.timeout_s * 1e9);
  for (std::size_t rank = 0; rank < endings.size(); ++rank) {
    Ending& ending = endings[rank];
    while (::waitpid(ending.pid, &ending.status, WNOHANG) == 0) {
      if (base::now_ns() > deadline_ns) ::kill(ending.pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ending.output = read_all(outputs[rank]);
    ::close(outputs[rank]);
  }
  ::close(descriptor);
  return endings;
}

void expect_success(const std::vector<Ending>& endings) {
  for (std::size_t rank = 0; rank < endings.size(); ++rank) {
    EXPECT_TRUE(endings[rank].succeeded())
        << "rank " << rank << " ended with " << endings[rank].exit_code() << ":\n"
        << endings[rank].output;
  }
}

}  // namespace tasuki::transport::shm
