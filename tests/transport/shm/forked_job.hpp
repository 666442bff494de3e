// Runs a job of the shm transport without a launcher: ranks are forks of the test process.
//
// Thread-safety: none; for tests.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <tasuki/detail/transport/transport.hpp>
#include <vector>

namespace tasuki::transport::shm {

struct ForkedJob {
  int size = 2;
  /// Called in each rank before its transport is opened.
  std::function<void(int rank)> prepare = [](int) {};
  double timeout_s = 60;
};

/// How a rank ended: `status` as of waitpid, and what it printed on standard error.
struct Ending {
  pid_t pid = -1;
  int status = 0;
  std::string output;

  bool succeeded() const noexcept { return status == 0; }
  int exit_code() const noexcept;  ///< 128 + signal number for a signal.
};

/// Every rank opens and starts its transport, runs `body` and stops. A GoogleTest failure or an
/// exception in a rank makes its exit code 1; the text is in its output. Ranks that are still there
/// after the time-out are killed.
std::vector<Ending> run_forked_job(const ForkedJob& job,
                                   const std::function<void(Transport&)>& body);

/// Fails the test unless all ranks succeeded; shows what they printed.
void expect_success(const std::vector<Ending>& endings);

}  // namespace tasuki::transport::shm
