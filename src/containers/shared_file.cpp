#include <tasuki/detail/containers/shared_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <tasuki/collectives.hpp>
#include <utility>

namespace tasuki::containers {

SharedFile::SharedFile(std::string operation, std::string path)
    : operation_(std::move(operation)), path_(std::move(path)) {}

SharedFile::SharedFile(SharedFile&& other) noexcept
    : operation_(std::move(other.operation_)),
      path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      failure_(std::move(other.failure_)) {}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

SharedFile SharedFile::create(const std::string& operation, const std::string& path,
                              const Team& team) {
  SharedFile file(operation, path);
  if (team.rank() == 0) file.open_by(O_WRONLY | O_CREAT | O_TRUNC);
  barrier(team);  // Nobody opens it before it is there, and empty.
  if (team.rank() != 0) file.open_by(O_WRONLY);
  file.throw_failure(team);
  return file;
}

SharedFile SharedFile::open(const std::string& operation, const std::string& path,
                            const Team& team) {
  SharedFile file(operation, path);
  file.open_by(O_RDONLY);
  file.throw_failure(team);
  return file;
}

void SharedFile::open_by(int flags) {
  constexpr mode_t readable_by_all = 0666;
  descriptor_ = ::open(path_.c_str(), flags | O_CLOEXEC, readable_by_all);
  if (descriptor_ < 0) fail_by_error_number("cannot be opened");
}

void SharedFile::write(std::uint64_t offset_bytes, std::span<const std::byte> bytes) {
  while (!has_failed() && !bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset_bytes));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail_by_error_number("cannot be written");
    offset_bytes += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void SharedFile::read(std::uint64_t offset_bytes, std::span<std::byte> bytes) {
  while (!has_failed() && !bytes.empty()) {
    const ssize_t got =
        ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset_bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_by_error_number("cannot be read");
    if (got == 0) {
      return fail({"the file " + path_ + " ends too early", "write the file again: it is cut off"});
    }
    offset_bytes += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

std::uint64_t SharedFile::size_bytes() {
  struct stat status {};
  if (has_failed()) return 0;
  if (::fstat(descriptor_, &status) != 0) {
    fail_by_error_number("cannot be read");
    return 0;
  }
  return static_cast<std::uint64_t>(status.st_size);
}

void SharedFile::close(const Team& team) {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) {
    fail_by_error_number("cannot be closed");
  }
  throw_failure(team);
}

void SharedFile::fail(Failure failure) {
  if (!has_failed()) failure_ = std::move(failure);
}

void SharedFile::fail_by_error_number(const char* what) {
  const std::string reason = std::strerror(errno);
  fail({"the file " + path_ + " " + what + ": " + reason,
        "give a path that every rank can reach, and check the permissions and the free space"});
}

}  // namespace tasuki::containers
