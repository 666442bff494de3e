#include "mpi/record/appended_line.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tasuki::mpi::record {

void append_line(const std::string& path, const std::string& line) {
  constexpr mode_t permissions = 0644;
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, permissions);
  // One write appends as a whole.
  const bool is_written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (!is_written) {
    std::fprintf(stderr, "tasuki: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
  }
  if (file >= 0) ::close(file);
}

}  // namespace tasuki::mpi::record
