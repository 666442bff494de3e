#include "base/exit_record.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <tasuki/detail/base/settings.hpp>

#include <atomic>
#include <cstdint>

#include "base/launcher_file.hpp"

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
  const int descriptor = open_launcher_file(setting::exit_record, O_WRONLY | O_APPEND);
  if (descriptor < 0) return;
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
