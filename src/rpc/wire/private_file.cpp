#include "rpc/wire/private_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

[[noreturn]] void refuse(const std::string& folder) {
  throw error("make a temporary file", fmt::format("{}: {}", folder, std::strerror(errno)),
              "let TMPDIR name a folder with room that can be written");
}

/// Some file systems make no files without a name.
int open_and_unlink(const std::string& folder) {
  std::string name = folder + "/tasuki-XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) refuse(folder);
  unlink(name.c_str());
  return descriptor;
}

}  // namespace

PrivateFile::PrivateFile() : descriptor_(-1) {
  std::error_code fault;
  const std::string folder = std::filesystem::temp_directory_path(fault).string();
  descriptor_ = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor_ < 0) descriptor_ = open_and_unlink(folder);
}

PrivateFile::~PrivateFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

PrivateFile::PrivateFile(PrivateFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

std::string PrivateFile::path() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
}

std::int64_t PrivateFile::bytes() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) refuse(path());
  return status.st_size;
}

}  // namespace tasuki::rpc
