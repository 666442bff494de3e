#include "base/launcher_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace tasuki::base {

int open_launcher_file(const Setting& setting, int flags) {
  const std::string text = setting.text();
  ::unsetenv(setting.name);
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return -1;
  // A path below /proc: on another machine it leads nowhere, or to a file of another identity.
  const int descriptor = ::open(text.substr(0, space).c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 ||
      fmt::format("{}:{}", status.st_dev, status.st_ino) != text.substr(space + 1)) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

}  // namespace tasuki::base
