#include "rpc/server/line_reader.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace tasuki::rpc {

bool LineReader::read() {
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t bytes = ::read(descriptor_, buffer.data(), buffer.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return false;
    read_.append(buffer.data(), static_cast<std::size_t>(bytes));
    return true;
  }
}

std::optional<std::string> LineReader::next() {
  const std::size_t end = read_.find('\n');
  if (end == std::string::npos) return {};
  std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  return line;
}

}  // namespace tasuki::rpc
