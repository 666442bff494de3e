// The memory of this process, for tests of what a transport may take. Thread-safety: any thread.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <stdexcept>

namespace tasuki::test {

/// Returns: the bytes of this process that lie in memory. Throws if the system does not tell.
inline std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  std::size_t resident = 0;
  if (!(file >> pages >> resident)) throw std::runtime_error("cannot read /proc/self/statm");
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace tasuki::test
