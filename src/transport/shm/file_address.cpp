#include "transport/shm/file_address.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/detail/base/settings.hpp>

#include <cerrno>
#include <fstream>
#include <string>

namespace tasuki::transport::shm {

std::uint64_t node_identity() {
  std::string boot_id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot_id;
  struct stat name_space {};
  if (::stat("/proc/self/ns/pid", &name_space) != 0) name_space.st_ino = 0;
  return base::fnv_hash(
      fmt::format("{}/{}/{}", boot_id, name_space.st_ino, base::setting::node_name.text()));
}

int open_file(const FileAddress& address) {
  if (address.descriptor < 0) {
    errno = ENOENT;
    return -1;
  }
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process_id, address.descriptor);
  return ::open(path.c_str(), O_RDWR | O_CLOEXEC);
}

}  // namespace tasuki::transport::shm
