#include "transport/watch/job_processes.hpp"

#include <sys/syscall.h>
#include <unistd.h>
#include <tasuki/detail/base/watch_settings.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include "transport/watch/watcher.hpp"

namespace tasuki::transport::watch {
namespace {

constexpr int rounds_most_count = 100;
constexpr std::chrono::milliseconds round_time{10};

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Calls `visit` with the number of each process but this one, and its folder, until that returns
/// true.
template <class Visit>
void visit_processes(const Visit& visit) {
  std::error_code failure;
  std::filesystem::directory_iterator entry("/proc", failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string name = entry->path().filename();
    int process = 0;
    const auto [end, is_no_number] =
        std::from_chars(name.data(), name.data() + name.size(), process);
    if (is_no_number != std::errc() || end != name.data() + name.size()) continue;
    if (process != ::getpid() && visit(process, entry->path().string())) return;
  }
}

}  // namespace

JobProcesses::JobProcesses(const std::string& job)
    : variable_(std::string(base::setting::watched_job.name) + "=" + job) {}

bool JobProcesses::is_of_job(const std::string& folder) const {
  const std::string environment = content_of(folder + "/environ");
  for (std::size_t begin = 0; begin < environment.size();) {
    const std::size_t end = std::min(environment.find('\0', begin), environment.size());
    if (environment.compare(begin, end - begin, variable_) == 0) return true;
    begin = end + 1;
  }
  return false;
}

bool JobProcesses::have_watcher() const {
  bool is_found = false;
  visit_processes([&](int, const std::string& folder) {
    is_found =
        content_of(folder + "/comm") == std::string(watcher_name) + "\n" && is_of_job(folder);
    return is_found;
  });
  return is_found;
}

void JobProcesses::end() const {
  for (int round = 0; round < rounds_most_count && end_those_there() > 0; ++round) {
    std::this_thread::sleep_for(round_time);
  }
}

int JobProcesses::end_those_there() const {
  int count = 0;
  visit_processes([&](int process, const std::string& folder) {
    // Opened first: the number may become that of another process.
    const int opened = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    if (opened < 0) return false;
    if (is_of_job(folder)) {
      ++count;
      ::syscall(SYS_pidfd_send_signal, opened, SIGKILL, nullptr, 0);
    }
    ::close(opened);
    return false;
  });
  return count;
}

}  // namespace tasuki::transport::watch
