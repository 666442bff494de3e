#include "rpc/client/file_arguments.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <tasuki/error.hpp>

#include "rpc/interface/call_bytes.hpp"

namespace tasuki::rpc {
namespace {

constexpr mode_t usual_permissions = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;

[[noreturn]] void refuse(const Routine& routine, const Parameter& parameter,
                         const std::string& name, const char* why) {
  throw error(
      fmt::format("call {}", routine.name),
      fmt::format("{}: the file '{}': {}", parameter.name, name, why),
      parameter.is_returned() ? "name a file that you may write" : "name a file that you may read");
}

}  // namespace

FileArguments::FileArguments(const Routine& routine,
                             const std::map<std::string, std::string>& names)
    : FileArguments() {  // So that the destructor removes what has been made before an error.
  for (const Parameter& one : routine.parameters) {
    if (one.content != Content::file || one.mode == Mode::work) continue;
    const auto found = names.find(one.name);
    if (found == names.end()) refuse(routine, one, "", "no name is given");
    open_one(routine, one, found->second);
  }
}

FileArguments::~FileArguments() {
  for (const int one : descriptors_) close(one);
  for (const std::string& one : made_) unlink(one.c_str());
}

void FileArguments::open_one(const Routine& routine, const Parameter& parameter,
                             const std::string& name) {
  if (name.find('\0') != std::string::npos) refuse(routine, parameter, name, "the name holds NUL");
  int descriptor = -1;
  if (parameter.mode == Mode::out) {
    descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, usual_permissions);
    if (descriptor >= 0) made_.push_back(name);
  }
  // O_NONBLOCK: a pipe that is named by mistake is opened at once, and refused.
  const int access = parameter.mode == Mode::in      ? O_RDONLY
                     : parameter.mode == Mode::inout ? O_RDWR
                                                     : O_WRONLY;
  if (descriptor < 0) descriptor = open(name.c_str(), access | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(routine, parameter, name, std::strerror(errno));
  descriptors_.push_back(descriptor);
  struct stat status {};
  if (fstat(descriptor, &status) != 0) refuse(routine, parameter, name, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse(routine, parameter, name, "it is no regular file");
  if (parameter.is_sent()) sent_.push_back({parameter.name, descriptor, status.st_size});
  if (parameter.is_returned()) returned_.push_back({parameter.name, descriptor});
}

std::int64_t FileArguments::sent_bytes() const noexcept {
  std::int64_t sum = 0;
  for (const PlacedFile& one : sent_) sum = sum_of_bytes(sum, one.bytes);
  return sum;
}

void FileArguments::place(Exchange& exchange) const {
  for (const PlacedFile& one : sent_) exchange.message["files"][one.name] = one.bytes;
  exchange.sent_files = sent_;
  exchange.returned_files = returned_;
}

}  // namespace tasuki::rpc
