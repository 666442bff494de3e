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

#include "rpc/wire/shortened.hpp"

namespace tasuki::rpc {

using nlohmann::json;
using Guard = std::lock_guard<std::mutex>;

namespace {

std::string line_of(std::string_view event, json facts) {
  facts["event"] = event;
  facts["time"] =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  // Names may be bytes that are no text.
  return facts.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace

AuditLog::AuditLog(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  descriptor_ = open_file();
  thread_ = std::thread([this] { run(); });
}

AuditLog::~AuditLog() {
  if (!thread_.joinable()) return;
  {
    const Guard guard(mutex_);
    is_over_ = true;
    changed_.notify_one();
  }
  thread_.join();
  close(descriptor_);
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
    std::string line = line_of(event, std::move(facts));
    bool is_first_loss = false;
    {
      const Guard guard(mutex_);
      if (waiting_bytes_ + line.size() > waiting_most_bytes) {
        ++lost_count_;
        is_first_loss = !std::exchange(has_lost_, true);
      } else {
        waiting_bytes_ += line.size();
        waiting_.emplace_back(std::move(line));
        changed_.notify_one();
      }
    }
    if (is_first_loss) {
      base::report(
          fmt::format("write the log: {} is not written as fast as events happen, some are"
                      " left out. Remedy: use a faster file system.",
                      path_));
    }
  } catch (const std::exception& fault) {
    base::report(fault.what());
  }
}

void AuditLog::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_over_ || !waiting_.empty() || lost_count_ > 0; });
    if (waiting_.empty() && lost_count_ > 0) {
      std::string line = line_of("lost", {{"count", std::exchange(lost_count_, 0)}});
      waiting_bytes_ += line.size();
      waiting_.emplace_back(std::move(line));
    }
    if (waiting_.empty()) return;
    const Entry next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    put(next);
    lock.lock();
    // What is being written has waited, too.
    if (const auto* line = std::get_if<std::string>(&next)) waiting_bytes_ -= line->size();
  }
}

void AuditLog::put(const Entry& entry) {
  if (const int* made = std::get_if<int>(&entry)) {
    close(std::exchange(descriptor_, *made));
    has_failed_ = false;
    return;
  }
  const std::string& line = std::get<std::string>(entry);
  const bool is_written =
      ::write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (is_written || std::exchange(has_failed_, true)) return;
  base::report(
      fmt::format("write the log: {}: {}. Remedy: make room for it.", path_, std::strerror(errno)));
}

void AuditLog::reopen() {
  if (path_.empty()) return;
  const int made = open_file();
  const Guard guard(mutex_);
  waiting_.emplace_back(made);
  has_lost_ = false;
  changed_.notify_one();
}

}  // namespace tasuki::rpc
