// A file that tells who has called what from where, when, and how it ended: one JSON object a line.
//
// Written by the front end: docs/formats/call-report.md. A program that rotates logs renames the
// file and sends SIGHUP. Thread-safety: any thread.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tasuki::rpc {

class AuditLog {
 public:
  /// An empty path: nothing is written. Throws tasuki::error if the file cannot be opened.
  explicit AuditLog(std::string path);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  /// Adds a line: the event's name, the time, and `facts`, an object. Says once if that fails.
  void write(std::string_view event, nlohmann::json facts) noexcept;
  /// Goes on in the file that has the name now, which is made if there is none; or in the same one
  /// as before if that fails. Throws tasuki::error then.
  void reopen();

 private:
  int open_file() const;

  const std::string path_;
  std::mutex mutex_;
  // Guarded by mutex_:
  int descriptor_ = -1;
  bool has_failed_ = false;
};

}  // namespace tasuki::rpc
