#include <tasuki/detail/base/appended_line.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <tasuki/error.hpp>

namespace tasuki::base {

void append_line(const std::string& path, const std::string& line) noexcept {
  constexpr mode_t permissions = 0644;
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, permissions);
  // One write appends as a whole.
  const bool is_written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (!is_written) {
    report(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  if (file >= 0) ::close(file);
}

}  // namespace tasuki::base
