#include "rpc/server/audit_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/server/shortened.hpp"

namespace tasuki::rpc {

using nlohmann::json;

AuditLog::AuditLog(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) descriptor_ = open_file();
}

AuditLog::~AuditLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

int AuditLog::open_file() const {
  // It names users and addresses: nobody but the server's user reads it.
  const int made =
      open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (made >= 0) return made;
  throw error("open the log", fmt::format("{}: {}", path_, std::strerror(errno)),
              "give a file that the server may write");
}

void AuditLog::write(std::string_view event, json facts) noexcept {
  if (path_.empty()) return;
  try {
    if (const auto happened = facts.find("happened");
        happened != facts.end() && happened->is_string()) {
      *happened = shortened(happened->get<std::string>());
    }
    facts["event"] = event;
    facts["time"] =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    // Names may be bytes that are no text.
    const std::string line = facts.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
    const std::lock_guard guard(mutex_);
    const bool is_written =
        ::write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (!is_written && !std::exchange(has_failed_, true)) {
      base::report(fmt::format("write the log: {}: {}. Remedy: make room for it.", path_,
                               std::strerror(errno)));
    }
  } catch (const std::exception& fault) {
    base::report(fault.what());
  }
}

void AuditLog::reopen() {
  if (path_.empty()) return;
  const int made = open_file();
  const std::lock_guard guard(mutex_);
  close(std::exchange(descriptor_, made));
  has_failed_ = false;
}

}  // namespace tasuki::rpc
