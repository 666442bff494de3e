#include "base/read_output.hpp"

#include <sys/ioctl.h>
#include <sys/stat.h>

#include <ctime>

namespace tasuki::base {

void await_reader(int descriptor) noexcept {
  constexpr int waits_most_count = 200;
  constexpr timespec one_ms{0, 1'000'000};
  struct stat kind {};
  if (::fstat(descriptor, &kind) != 0 || !S_ISFIFO(kind.st_mode)) return;
  for (int waits_count = 0; waits_count < waits_most_count; ++waits_count) {
    int unread_bytes = 0;
    if (::ioctl(descriptor, FIONREAD, &unread_bytes) != 0 || unread_bytes == 0) break;
    ::nanosleep(&one_ms, nullptr);
  }
  // Who has read it passes it on.
  constexpr timespec ten_ms{0, 10'000'000};
  ::nanosleep(&ten_ms, nullptr);
}

}  // namespace tasuki::base
