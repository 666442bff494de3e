#include "base/exit_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tasuki/detail/base/settings.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace tasuki::base {
namespace {

/// As python/tasuki/launcher/exit_record.py reads it.
struct Entry {
  std::int32_t rank;
  std::int32_t exit_code;
};

struct Record {
  int descriptor = -1;
  int rank = -1;
  std::atomic<pid_t> process{0};  ///< That the rank is; 0: it records nothing (any more).
};
Record record;

void append(int exit_code) noexcept {
  const Entry entry{record.rank, exit_code};
  [[maybe_unused]] const auto written = ::write(record.descriptor, &entry, sizeof entry);
}

}  // namespace

void join_exit_record(int rank) {
  const std::string text = setting::exit_record.text();
  ::unsetenv(setting::exit_record.name);
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return;
  // A path below /proc: on another machine it leads nowhere, or to a file of another identity.
  const int descriptor = ::open(text.substr(0, space).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 ||
      fmt::format("{}:{}", status.st_dev, status.st_ino) != text.substr(space + 1)) {
    ::close(descriptor);
    return;
  }
  record.descriptor = descriptor;
  record.rank = rank;
  record.process.store(::getpid());
  append(not_ended);
}

void record_exit(int exit_code) noexcept {
  if (record.process.load() == 0 || record.process.load() != ::getpid()) return;
  const int told = exit_code & 0xff;  // All that a parent process gets to know.
  if (told != 0) record.process.store(0);
  append(told);
}

}  // namespace tasuki::base
